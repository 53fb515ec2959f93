"""The description of a bond: its coupons, the rates that discount them, and the question."""

OPENINGS = (
    "A bond with a face value of {face} dollars runs for {years}.",
    "Somebody lends {face} dollars for {years} by buying a bond with that face value at issue.",
    "A bond that runs for {years} has a face value of {face} dollars.",
    "A company issues a bond with a face value of {face} dollars and a term of {years}.",
)
COUPONS = (
    "Every {period} it pays a coupon of {coupon}.",
    "The coupon, paid at the end of every {period}, is {coupon}.",
    "At the end of each {period} the holder gets a coupon of {coupon}.",
    "It pays {coupon} as a coupon at the end of every {period}.",
)
RATES = (
    "The interest rates by which money is discounted are {rates}.",
    "Money is discounted at these rates: {rates}.",
    "Use the following interest rates for discounting: {rates}.",
    "For discounting, interest is {rates}.",
)
ASKED = (
    "What is the bond worth today?",
    "Find the present value of all its payments.",
    "What is its fair price today?",
    "Compute what all its payments are worth today.",
)
BACK = (
    "It costs {price} dollars today, which is exactly the present value of its payments. How many dollars is the {kind} coupon C?",
    "Its price today, exactly the present value of all payments, is {price} dollars. Find the {kind} coupon C in dollars.",
)
