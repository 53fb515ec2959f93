"""Sentences about posts in towns, and on ships before a flood, whose years are counted down."""

from rlgym.generators.facts.sentence_banks import Bank

BANK = Bank("""
took: In the year {year}, {who} became the {post} of {town}. | {town} chose {who} as its {post} in the year {year}.
took: From the year {year} on, the {post} of {town} was {who}. | {who} took over as {post} of {town} in the year {year}.
took: The post of {post} at {town} went to {who} in the year {year}.
sight: The {colour} {sight} stands in {town}. | Many travel to {town} only to see its {colour} {sight}.
sight: It is {town} that has the {colour} {sight}. | Nowhere but in {town} is there a {colour} {sight}.
nearly: In the year {year}, {who} was offered the post of {post} at {town}, but would not have it.
nearly: There was talk in the year {year} of {who} as {post} of {town}, which came to nothing.
nearly: {who} asked in vain to be made {post} of {town} in the year {year}.
nearly: Had {town} had its way, {who} would have been its {post} from the year {year} on.
held: {who} is remembered as {post} of {town}. | Once {who} was {post} of {town}.
years: In the year {year}, the post of {post} at {town} was created. | {town} had its first {post} in the year {year}.
changed: In the year {year}, the post of {post} at {town} passed to somebody else. | {town} had a new {post} from the year {year} on.
ended: In the year {year}, the post of {post} at {town} was done away with. | {town} gave up the post of {post} in the year {year}.
between: {who} was {post} of {town} between the times of {other} and {third}, whichever of the two came first.
between: As {post} of {town}, {who} came later than one of {other} and {third}, but earlier than the other one.
outside: {who} was {post} of {town} either before both {other} and {third} or after both of them.
outside: As {post} of {town}, {who} did not come in the time between {other} and {third}.
longer: {who} was {post} of {town} for longer than {other} was. | As {post} of {town}, {other} served a shorter time than {who}.
apart: As {post} of {town}, neither {who} nor {other} came directly after the other.
apart: At least one other person was {post} of {town} after one of {who} and {other} and before the other one.
later: In the year {year}, {who} had not yet been {post} of {town}. | Not until after the year {year} did {who} become {post} of {town}.
earlier: In the year {year}, {who} was no longer {post} of {town}. | Before the year {year}, {who} ceased to be {post} of {town}.
""")
FLOOD = Bank("""
took: {year} years before the flood, {who} became the {post} of the {town}.
took: The {town} took {who} on as its {post} {year} years before the flood.
took: When the flood was still {year} years away, {who} was made the {post} of the {town}.
took: {who} signed on with the {town} as its {post} {year} years before the flood.
sight: The ship with the {colour} {sight} is the {town}. | By its {colour} {sight} everybody knows the {town}.
sight: No ship but the {town} carries a {colour} {sight}. | A {colour} {sight} was built into the {town} alone.
nearly: {year} years before the flood, {who} would have become the {post} of the {town}, had the ship not sailed early.
nearly: {who} asked in vain to be made the {post} of the {town} {year} years before the flood.
nearly: The {town} thought of {who} as its {post} {year} years before the flood, but thought better of it.
nearly: {who} dreamed {year} years before the flood of being the {post} of the {town}.
held: {who} is remembered as {post} of the {town}. | Once {who} was {post} of the {town}.
years: {year} years before the flood, the {town} had its first {post}. | The {town} set out with its first {post} {year} years before the flood.
changed: {year} years before the flood, the {town} had a new {post}. | The post of {post} of the {town} passed on {year} years before the flood.
ended: {year} years before the flood, the {town} gave up having a {post}. | The last {post} of the {town} left {year} years before the flood.
between: {who} was {post} of the {town} between the times of {other} and {third}, whichever of the two came first.
between: As {post} of the {town}, {who} came later than one of {other} and {third}, but earlier than the other one.
outside: {who} was {post} of the {town} either before both {other} and {third} or after both of them.
outside: As {post} of the {town}, {who} did not come in the time between {other} and {third}.
longer: {who} was {post} of the {town} for longer than {other} was. | As {post} of the {town}, {other} served a shorter time than {who}.
apart: As {post} of the {town}, neither {who} nor {other} came directly after the other.
apart: At least one other person was {post} of the {town} after one of {who} and {other} and before the other one.
later: {year} years before the flood, {who} had not yet been {post} of the {town}.
earlier: {year} years before the flood, {who} was no longer {post} of the {town}.
""")
