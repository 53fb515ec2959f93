"""A bank of common English words, and a fixed order of them. Never reorder or remove: tasks are drawn by position."""

WORDS: tuple[str, ...] = tuple(
    """
able acid acorn actor admit adult after again agent agree ahead alarm album alert alive allow almond alone along also amber among anchor angel
angle angry animal ankle answer apart apple april apron arch area arena argue arise armor army aroma arrow artist aside asset atlas attic aunt
author autumn avenue avoid award aware awful baby bacon badge baker balance ball bamboo banana band bank barn barrel basic basket bath beach
beacon bean bear beard beast beauty become before began begin behave being belief bell belong below belt bench berry beside better between
beyond bicycle bird birth biscuit black blade blanket blend blind block bloom blossom board boat body bold bone book boot border borrow bottle
bottom bowl branch brave bread break breeze brick bridge bright bring broad broken bronze brother brown brush bubble bucket budget build bundle
burn bush butter button cabin cable cactus cake calm camel camera camp canal candle canoe canvas canyon captain carbon card cargo carpet carrot
carry cart castle catch cattle cause cave cedar ceiling cellar cement center cereal chain chair chalk chamber change channel chapter charm
chart chase cheap cheese cherry chest chicken chief child chimney choice choose circle citizen city civil claim clay clean clever cliff climb
clock close cloth cloud clover coach coast coat cobra coffee coin cold collar color column comet common compass copper coral corn corner cotton
couch council count country couple courage cousin cover cow cradle crane crayon cream create creek crew cricket crisp crop cross crowd crown
cruel crystal cube cup curious current curtain curve custom cycle daily dairy daisy damage dance danger daring dawn deal debate decade decide
deep deer defend degree delay deliver delta demand dense depend depth desert design desk detail device devote dial diamond diary differ dinner
direct dirt discover dish distance divide doctor dolphin domain donkey door double dough dove dragon drama draw dream dress drift drink drive
drum duck dune dust duty eager eagle early earn earth easel east easy echo edge editor effect effort egg elbow elder elect elegant elephant
eleven elm ember empire empty enemy energy engine enjoy enough enter entire envelope equal error escape essay evening event every exact example
excite exit expect expert extra eye fable fabric face factor faculty fade fair faith falcon fame family famous fancy farm fashion father
feather feature february feed feel fence fern ferry fever field fiber fiddle figure filter final finger finish fire firm first fish flag flame
flavor fleet flight float flood floor flour flower fluid flute foam focus fog foil folk follow food forest forget fork form fortune forward
fossil fountain fox frame free fresh friend frog front frost fruit fuel funny future galaxy gallon garage garden garlic gate gather gentle giant
ginger giraffe glad glass globe glory glove glue goal goat gold good goose grain grand grape graph grass gravel gravy gray great green grid grill
ground group grow guard guess guest guide guitar habit hair half hammer hand handle happy harbor hard harvest hat hawk hazel head health heart
heat heavy hedge height hello helmet help herb hero hidden high hill hint history hobby hold hole holiday hollow home honest honey hood hope
horn horse hospital hotel hour house human humble humor hungry hunt hurry husband ice idea image index indoor infant inform injure ink insect
inside invent invite iron island item ivory jacket jaguar january jar jazz jelly jewel join joke journey judge juice july jump june jungle junior
keen keep kettle key kind king kitchen kite kitten knee knife knight knock knot label ladder lady lake lamp land lantern large laser last late
laugh launch lawn layer lazy lead leaf learn leather leave legend lemon lend lens leopard lesson letter level lever liberty library lift light
lily limb lime limit line linen lion liquid list listen little liver lizard loaf local lock logic long loop loose lose loud love loyal lucky
lumber lunch lung machine magic magnet maid mail main make mammal mango manner maple marble march margin marine mark market mask master match
matter maze meadow meal mean measure meat medal member memory mention merry metal meteor method middle might mile milk mill mind mineral minor
mint minute mirror mist mix model modern modest moment monkey month moon moral morning moss mother motor mountain mouse mouth move museum music
mustard mystery nail name napkin narrow nation nature navy near neat neck need needle nephew nerve nest never news nice night nine noble noise
noon north nose notice novel number nurse nut oak oasis object oboe ocean october odd offer office often olive onion open opera orange orbit
orchard order organ other otter outer oval oven owl owner oxygen oyster pack paddle page pail paint pair palace palm panda panel panic paper parade
parent park parrot part party pasta paste path patient pattern pause peace peach peanut pearl pebble pedal pencil penguin people pepper perfect
permit person phone photo phrase piano picnic piece pigeon pillow pilot pine pink pioneer pipe pitch place plain planet plant plate play please
plenty plum pocket poem poet point polar pole police polish polite pond pony pool popular porch port potato pottery powder power praise prefer
present press pretty price pride prince print prison private prize problem profit promise proof proper protect proud public pudding pull pulse
pumpkin pupil puppet pure purple purse push puzzle pyramid quail quality quarter queen quest quick quiet quilt quite quiz rabbit race radio raft
rail rain raise ranch random range rapid rare rather raven razor reach read ready real reason rebel recall recipe record reduce reef region relax
remain remote repair repeat reply report rescue resist rest result return reveal reward rhyme rhythm ribbon rice rich ride ridge right ring ripe
river road roast robin robot rock rocket roof room root rope rose rotate rough round route row royal rubber rug rule run rural rust sad saddle
safe sail salad salmon salt same sample sand satin sauce save scale scarf scene school science score scout screen script sea search season seat
second secret seed select senior sense september serve seven shade shadow shake shape share shark sharp sheep shelf shell shelter shield shift
shine ship shirt shock shoe shop shore short shoulder shovel show shower shrimp side signal silence silk silver simple sing sister six size
skate sketch skill skin skirt sky sleep slice slide slope slow small smart smile smoke smooth snail snake snow soap social sock soft soil solar
soldier solid solve song sorry sort soul sound soup south space spark speak speech speed spell spend spice spider spike spin spirit sponge spoon
sport spot spray spread spring square squirrel stable stadium staff stage stair stamp stand star start state station statue steady steam steel
stem step stick still stone stool store storm story stove straight strange straw stream street string strong student studio study style subject
sudden sugar suit summer sun supper supply sure surface surprise swamp swan sweet swift swim swing switch symbol system table tail talent talk
tall tame target task taste taxi teach team temple tender tennis tent test text thank theater theory thick thin thing think third thirsty thorn
thread three throat throne thumb thunder ticket tide tidy tiger timber time tiny tip tire title toast today toe together tomato tone tongue tool
tooth topic torch total touch tour towel tower town track trade trail train travel treat tree triangle trick trip trouble truck trumpet trust truth
tube tulip tunnel turkey turn turtle twelve twenty twin twist type ugly umbrella uncle under uniform unique unit unusual upper urban useful usual
valley value van vanilla vapor vase vast vegetable velvet verb vessel victory video view village vine violet violin visit visual vital vivid voice
volcano volume voyage wagon waist wait walk wall walnut walrus warm wash wasp watch water wave weak wealth wear weather weave week weight welcome
west wet whale wheat wheel whisper whistle white whole wide wild willow wind window wing winner winter wire wise wish witness wolf woman wonder
wood wool word work world worry worth wrap wrist write yard year yellow yesterday yogurt young zebra zero zigzag zone
""".split()
)
"""Lower case, ASCII letters only, all different."""

THINGS: tuple[str, ...] = tuple(
    """
album anchor apple apron arrow badge ball banana barrel basket bell belt bench bicycle biscuit blade blanket boat bone book bottle bowl brick
brush bucket button cable cake camera candle canoe carpet carrot cart chair cheese cherry chest clock cloth coat coffee collar compass cradle
crayon crown crystal cup curtain desk diamond dish drum easel egg engine envelope fabric feather fiddle flag flute fork fossil glass globe glove
guitar hammer helmet honey horn jacket jar jewel juice kettle kite knife ladder lamp lantern lemon lens letter lumber magnet mango map mask
medal mirror mustard napkin needle olive onion orange paddle paint panel paper pasta peach peanut pearl pedal pencil phone piano pillow pipe
plate plum potato pottery puppet purse puzzle quilt radio raft razor ribbon ring robot rocket rope rug saddle sail salmon scarf shell shield
shirt shovel silk skirt soap sock sponge spoon stamp statue stool stove sugar tent ticket tire toast tomato torch towel trumpet tulip umbrella
vase velvet violin wagon walnut whistle
""".split()
)
"""Things that can be packed, ordered or installed."""
SITES: tuple[str, ...] = tuple(
    """
arena attic avenue bank barn beach bridge cabin camp canal castle cave cellar chapel cliff coast corner court creek desert dock farm ferry field
forest fountain garage garden gate harbor hill hospital hotel island lake library market meadow mill mountain museum oasis office orchard palace
park plaza pond port prison ranch ridge river school shelter shore square stadium station store studio swamp temple theater tower tunnel valley
village volcano
""".split()
)
"""Places that one can go to."""
JOBS: tuple[str, ...] = tuple(
    "baking cleaning cooking digging driving filing fishing gardening ironing mowing packing painting plastering polishing printing roofing "
    "sewing sorting sweeping teaching tiling typing washing weaving welding".split()
)
"""Work that somebody can be given to do."""
