"""What is said of waiting lines and repair shops."""

OPENINGS = (
    "Customers come to a {place} at random, independently of each other, on average {rate}.",
    "At a {place}, arrivals form a Poisson process: on average {rate}.",
    "Customers arrive at a {place} one at a time as a Poisson process, on average {rate}.",
    "People arrive at a {place} as a Poisson stream, on average {rate}.",
)
SERVED = (
    "It has {servers}, and serving a customer takes an exponentially distributed time, on average {time}.",
    "With {servers} on duty, each service lasts an exponentially distributed time with mean {time}.",
    "It is run with {servers}; a customer is served for an exponential time of mean {time}.",
    "The staff is {servers}, and a service needs an exponential time, {time} on average.",
)
SHOPS = (
    "A plant has {room} machines. Each that works breaks down after an exponentially distributed time of mean {hours}.",
    "In a mill run {room} looms; a working one fails after an exponential time, on average {hours}.",
    "A laundry owns {room} washers, each of which works for an exponential time of mean {hours} before it breaks.",
    "There are {room} pumps. Each running pump breaks down after an exponentially distributed time with a mean of {hours}.",
)
PLACES = ("kiosk", "barber's shop", "bank counter", "clinic", "help desk", "car wash", "post office", "bakery", "ticket office", "workshop")
ASKED = (
    "In the long run, give p, the share of time in which {all}, and n, the mean number of {what}.",
    "Find p, the long-run probability that {all}, and n, the average number of {what}.",
    "After a long time, what are p, the probability that {all}, and n, the mean number of {what}?",
)
