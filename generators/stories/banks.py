"""The words of word problems."""

PEOPLE = tuple(
    """Aaliyah Abebe Adaeze Adrian Agnes Ahmed Aiko Aisha Alejandro Alice Amara Amina Amit Ana Anders Andrei Anika Anton Arjun Astrid Ayesha
Beatriz Benedikt Bilal Bjorn Bogdan Boris Brigitte Bruno Camila Carlos Carmen Cecilia Chen Chiara Chidi Chloe Clara Claudia Cyrus Dalia Damian
Daniela Dario Dasha Deepa Delphine Diego Dimitri Dina Dmitri Dora Edgar Eduardo Elena Elias Elif Elisa Emeka Emil Emine Enrique Erika Esther
Etienne Eva Fabio Farah Farid Fatima Felix Fernanda Fiona Florian Francesca Freya Gabriel Galina George Gita Giulia Goran Greta Guillermo Gustav
Hana Hannah Haruto Hassan Hector Hedda Heidi Helga Hiroshi Hugo Ibrahim Ida Idris Igor Ines Ingrid Irina Isaac Isabel Ismail Ivan Ivy Jakub
Jamal Jasmine Javier Jelena Joanna Johan Jonas Jorge Josef Juan Julia Kaito Kamil Karim Karin Katya Keiko Kenji Khadija Kofi Kwame Laila Lars
Laura Leandro Leila Leon Liam Lina Linh Lorenzo Lotte Lucas Lucia Ludmila Luis Magnus Maja Malik Manuel Marcel Maria Mariam Marta Mateo Matilda
Mei Mehmet Mikhail Milan Mina Ming Miriam Mohamed Monika Nadia Naomi Nasser Natalia Ngozi Nico Nikolai Nina Noah Noor Nuria Oksana Olga Oliver
Omar Orla Oscar Otto Pablo Paloma Paolo Pavel Pedro Petra Pia Pierre Priya Quentin Rafael Rahul Ramona Rania Rashid Raul Ravi Renata Ricardo
Rita Robin Rosa Ruben Ruth Ryo Sabine Salma Samir Sandra Santiago Sara Sasha Selim Serena Sergio Shira Signe Silvia Simone Sofia Soren Stefan
Sven Tamara Tariq Tatiana Teodor Teresa Thandi Theo Thomas Tiago Tomas Uma Valentina Vanessa Vera Viktor Vincent Wanda Wei Xavier Yara Yasmin
Yelena Youssef Yuki Yusuf Zahra Zara Zeynep Zoe Zofia""".split()
)

PLACES = tuple(
    """Aldbrook Alderton Amberley Ashcombe Ashford Baywater Beckford Birchwood Blackmoor Bramley Brightwell Brookfield Cedarvale Chestermere Clearwater
Cloverdale Coldharbour Copperhill Cranford Crosswell Dalebury Deepdale Dunmore Eastbridge Eastmere Edgewood Elmhurst Fairhaven Fallowfield Fernhill
Foxley Glenbrook Goldcrest Greenford Greystone Harrowgate Hartwell Hawthorne Hazelton Highmoor Hillcrest Hollowbrook Inverdale Ironbridge Ivywood
Kingsmere Kirkdale Lakemont Langdon Larkfield Lindenau Longmeadow Maplewood Marlow Meadowbank Millbrook Moorgate Northfield Norwick Oakdale Oldbury
Orchardton Oxmoor Pinecrest Ravensworth Redcliff Ridgeway Riverton Rosedale Rowanville Saltmarsh Sandford Silverton Southmoor Springvale Stonebridge
Sunnyside Thornbury Timberlake Underhill Valebrook Waterford Westerby Whitcombe Wildwood Willowdale Windmere Woodhaven Wrenfield Yarrowdale""".split()
)

GOODS = tuple(
    tuple(line.split("/"))
    for line in """apple/apples pear/pears plum/plums orange/oranges lemon/lemons peach/peaches mango/mangoes melon/melons coconut/coconuts
fig/figs date/dates walnut/walnuts potato/potatoes tomato/tomatoes onion/onions carrot/carrots cabbage/cabbages pumpkin/pumpkins cucumber/cucumbers
radish/radishes loaf/loaves muffin/muffins bagel/bagels pretzel/pretzels pie/pies biscuit/biscuits pancake/pancakes sandwich/sandwiches egg/eggs
pencil/pencils pen/pens notebook/notebooks eraser/erasers ruler/rulers crayon/crayons marker/markers folder/folders stapler/staplers envelope/envelopes
stamp/stamps postcard/postcards poster/posters book/books magazine/magazines comic/comics puzzle/puzzles marble/marbles card/cards ball/balls
kite/kites drum/drums whistle/whistles bell/bells candle/candles lantern/lanterns lamp/lamps battery/batteries bulb/bulbs mug/mugs cup/cups
bowl/bowls plate/plates spoon/spoons fork/forks jar/jars bottle/bottles basket/baskets bucket/buckets box/boxes crate/crates bag/bags
brush/brushes sponge/sponges towel/towels blanket/blankets pillow/pillows scarf/scarves hat/hats glove/gloves sock/socks shirt/shirts button/buttons
ribbon/ribbons bead/beads ring/rings shell/shells stone/stones brick/bricks tile/tiles plank/planks nail/nails screw/screws bolt/bolts
rope/ropes seedling/seedlings tulip/tulips rose/roses lily/lilies daisy/daisies sunflower/sunflowers ticket/tickets badge/badges sticker/stickers
magnet/magnets coin/coins token/tokens medal/medals balloon/balloons cushion/cushions chair/chairs stool/stools table/tables shelf/shelves""".split()
)

LIQUIDS = tuple(
    "water milk juice oil vinegar syrup lemonade tea coffee cider paint ink shampoo broth honey glycerine ethanol brine".split()
)
ANIMALS = tuple(
    tuple(line.split("/"))
    for line in """cow/cows horse/horses goat/goats sheep/sheep pig/pigs hen/hens duck/ducks goose/geese turkey/turkeys rabbit/rabbits
ostrich/ostriches donkey/donkeys camel/camels llama/llamas emu/emus spider/spiders beetle/beetles ant/ants crab/crabs parrot/parrots""".split()
)
VEHICLES = tuple(
    """car,bus,lorry,van,tram,train,freight train,ferry,barge,bicycle,scooter,motorbike,minibus,taxi,coach,tractor,hovercraft,speedboat,sailing boat,
rowing boat""".replace("\n", "").split(",")
)
SHOPS = tuple(
    """bakery,bookshop,florist's,grocer's,hardware shop,toy shop,stationer's,market stall,garden centre,corner shop,craft shop,school shop,museum shop,
farm shop,station kiosk,supermarket,gift shop,warehouse,flea market,village store""".replace("\n", "").split(",")
)
TRADES = tuple(
    """baker,bookbinder,carpenter,clerk,cook,courier,farmer,fisher,florist,gardener,glazier,joiner,librarian,locksmith,mason,mechanic,miller,painter,
plumber,postal worker,potter,printer,roofer,sailor,tailor,tiler,typist,weaver,welder,window cleaner""".replace("\n", "").split(",")
)
