"""Sentences about prices, offers and paying."""

from collections.abc import Mapping

BUYING: Mapping[str, tuple[str, ...]] = {
    "price": (
        "One {a} costs {n} cents.",
        "The price of a single {a} is {n} cents.",
        "You pay {n} cents for one {a}.",
        "For {n} cents you get one {a}.",
        "The price tag on one {a} says {n} cents.",
        "They sell each {a} for {n} cents.",
    ),
    "more": (
        "One {a} costs {n} cents more than one {b}.",
        "One {b} is {n} cents cheaper than one {a}.",
        "The price of one {a} is the price of one {b} plus {n} cents.",
        "Buying one {b} instead of one {a} saves {n} cents.",
        "Add {n} cents to the price of one {b} to get the price of one {a}.",
    ),
    "times": (
        "One {a} costs {n} times as much as one {b}.",
        "The price of one {a} is {n} times that of one {b}.",
        "One {a} sells for {n} times the price of one {b}.",
        "One {b} costs 1/{n} of what one {a} costs.",
    ),
    "buy": (
        "{who} buys {n} {many}.",
        "{n} {many} go into {who}'s bag.",
        "{who} takes {n} {many}.",
        "{who}'s shopping list has {n} {many} on it, and {who} buys them all.",
        "{who} puts {n} {many} on the counter.",
    ),
    "offer": (
        "Every full set of {k} {many} is sold for the price of {j}; the others cost the full price.",
        "There is an offer on {many}: {k} for the price of {j}, applied to every full set of {k}; the rest cost the usual price.",
        "Whoever buys {k} {many} pays for only {j} of them; the offer applies to each full set of {k}.",
        "Of each full set of {k} {many}, only {j} must be paid for.",
    ),
    "percent": (
        "The whole bill is cut by {n}%.",
        "A coupon takes {n}% off the total.",
        "At the till {who} gets {n}% off everything.",
        "There is a discount of {n}% on the total.",
    ),
    "fee": (
        "A fee of {n} cents is added at the end.",
        "Finally, {n} cents are charged for the bag.",
        "{who} also pays {n} cents for wrapping, on which there is no discount.",
        "Delivery costs another {n} cents, after any discount.",
    ),
    "pay": (
        "{who} pays with {n} dollars.",
        "{who} hands over {n} dollars.",
        "{who} lays {n} dollars on the counter.",
        "To pay, {who} gives {n} dollars.",
        "{who} takes {n} dollars out of a purse and pays with them.",
    ),
    "change": (
        "{who} gets back {n} cents.",
        "The change is {n} cents.",
        "{who} is given {n} cents in change.",
        "{who} counts {n} cents of change.",
    ),
    "ask": (
        "How many cents does {who} get back?",
        "What is the change, in cents?",
        "Work out how many cents of change {who} is given.",
        "How much does {who} get back, in cents?",
        "Find the change in cents.",
    ),
    "ask_total": (
        "How many cents does {who} have to pay?",
        "What is the total to pay, in cents?",
        "Work out how many cents all this costs {who}.",
        "How much must {who} pay in all, in cents?",
        "Find the bill in cents.",
    ),
    "ask_price": (
        "How many cents does one {a} cost?",
        "What is the price of a single {a}, in cents?",
        "Work out how many cents one {a} costs.",
        "Find the price of one {a} in cents.",
    ),
    "aside": (
        "{who} waited {n} minutes in the queue.",
        "There were {n} people in the shop.",
        "Last year everything was {n}% cheaper.",
        "{who} looked at something for {n} cents and put it back.",
        "The shop has been there for {n} years.",
        "{who} once bought {n} {many} elsewhere.",
    ),
}
OPENINGS = (
    "{who} goes to a {shop} in {town}.",
    "In a {shop} in {town}, {who} has a list of things to buy.",
    "This is about what {who} buys at a {shop} in {town}.",
    "{who} is a customer of a {shop} in {town}.",
    "{who} is sent to a {shop} in {town}.",
)
