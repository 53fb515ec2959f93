"""Sentences about prices, offers and paying."""

from collections.abc import Mapping

BUYING: Mapping[str, tuple[str, ...]] = {
    "price": (
        "One {a} costs {n} cents.",
        "The price of a single {a} is {n} cents.",
        "{n} cents is what you pay for one {a}.",
        "For {n} cents you get one {a}.",
        "A label shows {n} cents for one {a}.",
        "They sell each {a} for {n} cents.",
    ),
    "more": (
        "One {a} costs {n} cents more than one {b}.",
        "One {b} is {n} cents cheaper than one {a}.",
        "The price of one {a} is that of one {b} plus {n} cents.",
        "Who buys one {b} in place of one {a} saves {n} cents.",
        "Add {n} cents to the price of one {b} and you can pay one {a}.",
    ),
    "times": (
        "One {a} costs {n} times as much as one {b}.",
        "The price of one {a} is {n} times that of one {b}.",
        "For the price of one {a} you can have {n} pieces of the kind {b}.",
        "One {b} costs 1/{n} of what one {a} costs.",
    ),
    "buy": (
        "{who} buys {n} {many}.",
        "{n} {many} go into the bag of {who}.",
        "{who} takes {n} {many}.",
        "On the list of {who} there are {n} {many}, and they are all bought.",
        "{who} puts {n} {many} on the counter.",
    ),
    "offer": (
        "Of {many}, every set of {k} is sold for the price of {j} (others at the full price).",
        "{many_start} have an offer: {k} for the price of {j}, as often as it fits, the rest at the usual price.",
        "Whoever takes {k} {many} pays only {j} of them; the offer counts for each full set of {k}.",
        "In each full set of {k} {many}, only {j} must be paid.",
    ),
    "percent": (
        "The whole bill is cut by {n}%.",
        "A coupon takes {n}% off the total.",
        "At the till {who} gets {n}% off everything.",
        "There is a discount of {n}% on the sum.",
    ),
    "fee": (
        "A fee of {n} cents is added at the end.",
        "At last, {n} cents are charged for the bag.",
        "{who} also pays {n} cents for wrapping, on which there is no discount.",
        "Delivery costs another {n} cents, after any discount.",
    ),
    "pay": (
        "{who} pays with {n} dollars.",
        "{who} hands over {n} dollars.",
        "{n} dollars are put on the counter by {who}.",
        "To pay, {who} gives {n} dollars.",
        "{who} takes {n} dollars out of a purse and pays with them.",
    ),
    "change": (
        "{who} gets back {n} cents.",
        "The change is {n} cents.",
        "{n} cents come back to {who}.",
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
        "What is the sum to pay, in cents?",
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
        "{who} looked at a thing for {n} cents and left it there.",
        "The shop has been there for {n} years.",
        "{who} once bought {n} {many} elsewhere.",
    ),
}
OPENINGS = (
    "{who} goes to a {shop} in {town}.",
    "In a {shop} in {town}, {who} has a list of things to buy.",
    "This is about what {who} buys at a {shop} in {town}.",
    "A {shop} in {town} has {who} as a customer.",
    "{who} is sent to a {shop} in {town}.",
)
