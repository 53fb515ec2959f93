"""What a grammar is, the grammars by name, and the patterns that several of them share.

Patterns are regular expressions over lower-case English without contractions. Each names a concept by its synonyms.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.users import grammars


class Grammar(NamedTuple):
    """The intents that a person understands, as patterns over lower-case English without contractions.

    asks       what is asked for, as `ask:` intents; found only in sentences that request something
    hints      words that decide what a request is about where nothing else does, by intent; the first that fits counts
    excludes   intents that are not meant beside another one, as the day in "On which day were you born?"
    actions    what the person is asked to do, as `do:` intents
    opening    words that invite the person to say what they want
    offers     whether days and times are offered
    first      intents that count even in words that otherwise ask for anything else, as in "Is there anything else you want instead?"
    states     intents that a plain statement has too, as "The report says Tuesday, but you said Monday."
    agrees     further words that ask for agreement
    vague      intents that give way to what the sentence before says that things differ in, as in "They differ in the year. Which one?"
    things     what names one of the matters that such a person may have; one that names none of theirs is not taken for the latest
    slots      what a value of an intent looks like, by which a read-back such as "So that is two days, right?" names it
    priced     whether amounts are offered also without a currency, as in "What would you say to 190?"
    turns      intents that become another one beside certain words up to there, as in "I cannot do that. What would you like me to do?"
    """

    asks: Mapping[str, str]
    actions: Mapping[str, str] = {}
    opening: str = ""
    offers: bool = False
    hints: Mapping[str, str] = {}
    excludes: Mapping[str, tuple[str, ...]] = {}
    first: tuple[str, ...] = ()
    agrees: str = ""
    states: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    things: str = ""
    turns: Mapping[str, tuple[str, str]] = {}
    slots: Mapping[str, str] = {}
    priced: bool = False


def either(*patterns: str) -> str:
    """One pattern for several, each of whole words."""
    return "|".join(rf"\b(?:{pattern})\b" for pattern in patterns)


@lru_cache(maxsize=64)
def find_grammar(name: str) -> Grammar:
    """The grammar of `rlgym.generators.users.grammars` with this name."""
    found: Grammar = importlib.import_module(f"{grammars.__name__}.{name}").GRAMMAR
    return found


def grammar_names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(grammars.__path__)))


OPENING = (
    r"\bwhat (?:is|was) it (?:that )?(?:you|i can)\b|"
    r"\b(?:tell|let) (?:me|us) (?:hear )?(?:all |everything )?(?:about it|what happen\w*)\b|\bhow (?:i|we) (?:can|may|could) (?:help|assist)\b|"
    r"\bwhat (?:exactly )?(?:is|are|does|do) (?:it that )?not (?:work|working|functioning|right|ok|okay)\b|"
    r"\bhow (?:may|can|could|might) (?:i|we) (?:help|assist|be of|support)|\bwhat (?:can|may|could) (?:i|we) (?:do|help)|"
    r"\bwhat brings you|"
    r"\bwhat (?:exactly )?(?:is|are|was|seems to be) (?:exactly )?(?:the|your) (?:problem|issue|matter|trouble|request|concern|question)|"
    r"\bwhat (?:is )?(?:going on|happening|wrong|up)\b|"
    r"\b(?:describe|explain|tell me(?: more)? about|share) (?:me )?(?:the|your) (?:problem|issue|situation|request|concern)|"
    r"\bwhat (?:do you need|would you like|do you want|are you calling|is this about|happened)|\breason (?:for|of) (?:your|the|"
    r"this) (?:call|message|contact)|"
    r"\b(?:reason|why) (?:that |why |for which )?you (?:are|have) (?:calling|called|contact)|\bwhat can (?:i|we) \w+ for you\b|"
    r"\bi am listening\b|\bwhat can (?:i|we) take care of\b|"
    r"\babout what you (?:need|want)\b|\bpurpose of (?:your|the|this) (?:call|visit today)|"
    r"\b(?:tell|let) (?:me|us)(?: know)? how (?:i|we) (?:can|may|could|might)|"
    r"\b(?:is|was) (?:this|it|your call) (?:regarding|concerning|about)|\bcalling (?:about|regarding|for|to)\b|\blet (?:me|us) know what\b|"
    r"\b(?:describe|explain|say) what you (?:need|want)\b|"
    r"\bhow can (?:this|our)|\btell me (?:a (?:little |bit )?(?:bit )?)?(?:more|what)|\bwhat (?:exactly )?(?:is it (?:about|that you))|"
    r"\b(?:contact|call|phone|ring|approach|visit|write to|come to)(?:ed|ing)? us (?:for|about)\b|\b(?:what|how) (?:can|may|"
    r"could) (?:the|our) \w+ \w+\b|"
    r"\bwhat (?:did|do) you (?:\w+ )?have in mind\b|\bwhat (?:can|may|could) (?:i|we) \w+ you\b|"
    r"\bhow (?:did|has) (?:it|this|that) (?:all |ever )?(?:happen|come|occur)\w*|\bin connection with\b|"
    r"\bwhat (?:has )?(?:come about|came about|come to pass)\b|"
    r"\bwhat (?:is it )?(?:that )?(?:i|we) can (?:do|help)\b|"
    r"\bon your (?:mind|heart)\b|\b(?:whole|full|entire|own) story\b|\b(?:from|at) the (?:very )?beginning\b|\bin your own words\b|\ball ears\b|"
    r"\bwhat (?:exactly )?(?:has |have |is )?(?:befallen|befell|went on|gone on|broke|broken|brought|happened|occurred|"
    r"taken place|took place|gone wrong|went wrong|come up|came up)\b|"
    r"\bwhat (?:is|was) (?:the |this |that |your |all )*(?:call|visit|message|chat|inquiry|enquiry|conversation|project|job|"
    r"contact)? ?(?:today )?(?:about|regarding|concerning|in aid of)\b|"
    r"\bwhat (?:is|was) (?:the |this |your )*(?:call|visit|message|inquiry|enquiry) (?:today )?for\b|"
    r"\bwhat (?:exactly |is it |was it |else )*(?:that )?(?:do |did |would |might |can |have |are |were )?you (?:would |"
    r"are |were |just |really |exactly )*"
    r"(?:like|want|wanted|wish|wished|need|needed|hoping|looking|calling|ringing|phoning|here|after|come|got|have) "
    r"(?:for|from|about|to (?:see|talk|speak|discuss|report|raise|tell|ask|say|have (?:arranged|done|sorted)|get|bring)|"
    r"in mind(?! for)|us to|me to|done|arranged|sorted)\b|"
    r"\bwhat (?:do|did|would) you (?:need|want|wish|like)\b|\bwhat (?:made|makes|prompted|led|leads|got|"
    r"has made) you (?:to )?(?:call|phone|ring|contact|reach|get in touch|come|write)|"
    r"\bwhy (?:are |have |did |do )?you (?:are |have |did |were )?(?:just )?(?:call|phon|ring|rang|contact|get|got|here|"
    r"come|came|turn|reach|writ|wrote)|"
    r"\b(?:purpose|reason|nature|subject|topic) (?:of|for|behind) (?:your|the|this) (?:call|visit today|inquiry|enquiry|contact|message|request)\b|"
    r"\b(?:describe|explain|tell me|tell us|outline|summari[sz]e|go through)\b.{0,20}\b(?:incident|accident|events?|"
    r"circumstances|case|matter|story)\b|"
    r"\b(?:take|walk|lead|talk) (?:me|us) through (?:it|this|that|what|everything|(?:the|your) (?:whole )?(?:incident|"
    r"accident|events?|case|matter|story))\b|"
    r"\b(?:your|an) account of\b|\bwhat is (?:the|your) story\b|\bwhat (?:is it )?(?:that )?(?:brought|brings) you\b|\bwhat is to be done\b|"
    r"\bhow (?:can|may|could|might) (?:i|we) (?:make|sort|serve|be)\b|\bwhat (?:can|may|could|might) (?:i|we) (?:sort|look|"
    r"see|offer|arrange|fix|take)\b|"
    r"\bwhat (?:is|are) (?:the|your) (?:reason|purpose) (?:for|of) (?:call|contact|gett|phon|ring)\w*|\bwhat (?:have|"
    r"do) you (?:got|have) for (?:me|us)\b"
)
PURPOSE = (
    r"\band (?:hear|learn|know|find out|tell (?:me|us)) (?:what|why|how) (?:this|it|you|your|i|we)\b|"
    r"\b(?:purpose|reason|nature|subject) (?:of|for|behind) (?:your|the|this) (?:call|inquiry|enquiry|contact|message)\b|"
    r"\b(?:and|as well as) (?:why|what) (?:exactly )?you (?:are |have |were )?(?:call|phon|ring|rang|contact|get|got)|"
    r"\bwhat (?:exactly )?(?:has )?happened(?: to \w+ \w+)? and\b|"
    r"\bwhat (?:exactly |it is )?(?:that )?you (?:want|need|wish|would like)(?: us| me)?(?: to have| to be| to get)? (?:done|changed|to do)\b|"
    r"\b(?:and|as well as) (?:what|how) (?:i|we) (?:can|may|could) \w+|\b(?:me|us) (?:what you (?:need|want)|(?:what|how) (?:i|we) can \w+)\b"
)
"""What is said for "what you want" beside another question, as in "May I have your name and the purpose of your call?"."""
ELSE = (
    r"\b(?:(?<!before )(?<!\bor )(?:any ?thing|something|what|any ?one thing) (?:else|more|further|additional)|any (?:other|"
    r"additional|last|final)|any more(?= [a-z])|"
    r"(?<!go )(?<!get )any further|"
    r"nothing (?:else|more|further)|anything (?:that )?(?:i|we) (?:have |should have |might have |may have )?(?:forgot\w*|missed|overlooked|left out)|"
    r"(?:will|would) that be (?:all(?! right)|everything)|(?:is|was) (?:that|this) (?:all(?! right)|everything)|"
    r"(?:was|were|is|are) there (?:anything|something)(?! wrong| (?:in )?particular| on (?:it|the))|"
    r"(?:other|another|further|additional) (?:questions?|issues?|concerns?|requests?|wish(?:es)?|matters?|things?)|"
    r"(?:need|want|require) anything|does that cover everything|"
    r"(?:change|add|correct|update|amend) (?:any(?:thing)?|something)|"
    r"anything (?:\w+ ){0,6}(?:to )?(?:change|add|correct|update|amend))\b|"
    r"\b(?:besides|apart from|other than|in addition to|on top of|beyond) (?:that|this|these|those)\b|"
    r"\b(?:(?:which|what|any(?: of)?(?: your| the| these)?) other (?:orders?|purchases?|requests?|wish(?:es)?|concerns?|"
    r"matters?|topics?|points?|questions?|problems?|errands?)|"
    r"are (?:we|you) (?:\w+ )?(?:done|finished|through|all set)|(?:have|did) (?:we|i|you) (?:\w+ )?(?:tak\w+ care of|"
    r"told me|cover\w*|dealt? with|get|got|do|done|sort\w*|see|seen|handled?) (?:it all|all|everything)|"
    r"(?:is|was) (?:that|this|it) (?:really )?(?:the only|your only|the last|the lot|the end|your whole|the whole|the complete|enough)|"
    r"(?:is|was|if) there(?: is| was)? (?:any |some )?more\b(?! than)|(?:does|did|will|would) (?:that|this|it) (?:be |do |"
    r"cover |make |conclude |complete )(?:it|everything|all(?! right)|the lot)|"
    r"anything (?:left|missing|remaining|on top|besides|at all)|what (?:about the rest|remains|is left|comes next|is next)|"
    r"(?:that|this) (?:be |is |was )everything|(?:was|is) (?:that|this) (?:really )?all(?! right)|"
    r"(?:add|like) to add|on your list|(?:is|are) (?:your|the) list complete|(?:need|want|wish|like|require) (?:me |"
    r"us )?(?:to )?(?:do|look at|see to|discuss|raise|mention|handle) (?:any ?thing|something|some more|more)|"
    r"(?:have|got) (?:any ?thing|something) (?:for me|to (?:say|tell|discuss))|still (?:open|outstanding|to (?:do|discuss|settle)))\b"
    r"|\b(?:(?:the|your) whole (?:list|of it|thing|wish)|is there one more|(?:have|did|"
    r"do) (?:we|i|you) (?:now |really |already )*(?:\w+ ){0,3}"
    r"(?:everything|every wish|all(?: of (?:it|them|your \w+|that))?)(?: (?:now|yet|so far|today|you \w+))*(?=\W*$))\b"
)
"""Questions whether that was all."""
TIMES = (
    r"\b(?:when(?! were you born)|wh(?:at|ich) (?:\w+ ){0,3}(?:days?|times?|slots?|hours?))\b.*\b(?:you|work|works|suit|suits|best|convenient|prefer|"
    r"fit|home|come)\b|"
    r"\bavailab(?:le|ility)\b|\b(?:week|calendar|diary|schedule) looks?\b|\blook\b.*\byour week\b|\btime (?:constraints?|restrictions?|limits?)\b|"
    r"\bwhen would (?:it )?be (?:a )?(?:good|convenient|suitable|best|better)\b|\b(?:days?|times?|time of day)\b.*\b(?:prefer\w*|suit\w*|convenient|"
    r"cannot|unable|avoid|work\w*|free)\b|"
    r"\bprefer\w*\b.*\b(?:days?|times?|time of day|dates?)\b|\bwhen (?:are|would|will) you\b|\byou (?:are|would be) free\b|"
    r"\byour schedule\b|\b(?:beginning|start|middle|end) of the week\b|"
    r"\b(?:mornings?|afternoons?|evenings?)\b.*\b(?:better|prefer\w*|suits?|works?|best|easier)\b"
)
ANY_DAY = r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b"
MONTH = r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
ANY_COLOUR = (
    r"\b(?:(?:light|dark|bright|navy|pale) )?(?:black|white|red|blue|navy|green|yellow|orange|brown|gr[ea]y|purple|violet|pink|"
    r"beige|golden|gold|silver)\b"
)
PHONE = (
    r"\b(?:phone|telephone|mobile|cell|cellphone|contact|callback|line) (?:number|no)\b|\bnumber\b.*\b(?:reach|contact|call)\b|"
    r"\b(?:what|which|confirm|share|give|provide|have|tell)\b.{0,30}\b(?:the|your) (?:phone |mobile )?number\b(?! (?:of|is wrong|on (?:it|the)))|"
    r"\bwhich (?:phone )?line\b"
)
AGREES = either(
    r"(?<!what )(?<!which )(?<!where )(?<!when )(?<!how )(?:shall|should) (?:i|we)",
    r"(?:just |only )?to (?:confirm|be sure|make sure)",
    r"(?:correct|right|ok|okay|alright|all right|fine|agreed)(?=\W*\?)",
    r"(?:is|was) (?:that|this|it) (?:correct|right)",
    r"(?:right|correct) (?:file|one|order|item|choice)",
    r"sounds? (?:good|right|fine|ok|okay|acceptable|alright)",
    r"(?:would|does|do) (?:that|this|it|these|they) (?:work|suit)",
    "what do you think",
    "if you (?:agree|approve)",
)
"""Words that ask for agreement to what an agent is about to do, or says to have understood."""
