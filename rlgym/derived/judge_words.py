"""The words of judge tasks in English and seven other languages; the tasks whose solutions are judged stay as they are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgeWords:
    """What the prompt of a judge task says.

    task, solution, pair, end  headings of its parts
    final_answer               stands before the answer of a shown solution
    verdicts                   the words for right, wrong and invalid
    grading, comparing, choosing            the openings; {count} is the number of tasks
    graded_by, compared_by, chosen_by       the questions
    one_word                   the instructions of an answer of several words; {item} is `solution` or `pair`, {words} are the options
    one_letter                 those of an answer of one letter
    colon                      between `final_answer` and the answer
    """

    task: str
    solution: str
    pair: str
    end: str
    final_answer: str
    verdicts: tuple[str, str, str]
    grading: str
    graded_by: str
    comparing: str
    compared_by: str
    choosing: str
    chosen_by: str
    one_word: str = ""
    one_letter: str = ""
    colon: str = ":"


ENGLISH = JudgeWords(
    "Task", "Solution", "Pair", "End", "Final answer", ("right", "wrong", "invalid"),
    "Here are {count} tasks, each with a solution by somebody else.",
    "Judge each solution by its final answer alone: it is right, wrong, or invalid. It is invalid if there is no final answer, if it cannot be read, or if "
    "there are two that contradict each other.",
    "Here are {count} tasks, each with a pair of solutions by others.",
    "In each pair, the final answer of one solution is right. Which one is it?",
    "Here is a task, and solutions of it by others.",
    "Give the letter of a solution whose final answer is right. If several are, any of them will do.",
)  # fmt: skip
ONE_GRADED_BY = (
    "Judge the solution by its final answer alone: it is right, wrong, or invalid. It is invalid if there is no final answer, if it cannot be read, or if "
    "there are two that contradict each other."
)
"""The English question about a single solution."""
IN_LANGUAGES = {
    "de": JudgeWords(
        "Aufgabe", "Lösung", "Paar", "Ende", "Endgültige Antwort", ("richtig", "falsch", "ungültig"),
        "Hier sind {count} Aufgaben auf Englisch, jede mit einer Lösung, die jemand anders geschrieben hat.",
        "Beurteile jede Lösung allein nach ihrer endgültigen Antwort: Sie ist richtig, falsch oder ungültig. Ungültig ist sie, wenn es keine endgültige "
        "Antwort gibt, wenn sie nicht lesbar ist oder wenn zwei Antworten einander widersprechen.",
        "Hier sind {count} Aufgaben auf Englisch, jede mit zwei Lösungen, die andere geschrieben haben.",
        "In jedem Paar ist die endgültige Antwort einer Lösung richtig. Welche ist es?",
        "Hier ist eine Aufgabe auf Englisch mit Lösungen, die andere geschrieben haben.",
        "Gib den Buchstaben einer Lösung an, deren endgültige Antwort richtig ist. Sind es mehrere, genügt irgendeine davon.",
        "ein Wort pro {item}, der Reihe nach, durch Leerzeichen getrennt: {words}", "einer der Buchstaben {words}",
    ),
    "fr": JudgeWords(
        "Problème", "Solution", "Paire", "Fin", "Réponse finale", ("correcte", "incorrecte", "invalide"),
        "Voici {count} problèmes en anglais, chacun avec une solution écrite par quelqu'un d'autre.",
        "Juge chaque solution d'après sa seule réponse finale : elle est correcte, incorrecte ou invalide. Elle est invalide s'il n'y a pas de réponse finale, "
        "si celle-ci est illisible ou s'il y en a deux qui se contredisent.",
        "Voici {count} problèmes en anglais, chacun avec deux solutions écrites par d'autres.",
        "Dans chaque paire, la réponse finale d'une solution est correcte. Laquelle ?",
        "Voici un problème en anglais et des solutions écrites par d'autres.",
        "Donne la lettre d'une solution dont la réponse finale est correcte. S'il y en a plusieurs, n'importe laquelle convient.",
        "un mot par {item}, dans l'ordre, séparés par des espaces : {words}", "l'une des lettres {words}", " :",
    ),
    "es": JudgeWords(
        "Problema", "Solución", "Pareja", "Fin", "Respuesta final", ("correcta", "incorrecta", "inválida"),
        "Aquí hay {count} problemas en inglés, cada uno con una solución escrita por otra persona.",
        "Juzga cada solución solo por su respuesta final: es correcta, incorrecta o inválida. Es inválida si no hay respuesta final, si no se puede leer o si "
        "hay dos que se contradicen.",
        "Aquí hay {count} problemas en inglés, cada uno con dos soluciones escritas por otras personas.",
        "En cada pareja, la respuesta final de una solución es correcta. ¿Cuál es?",
        "Aquí hay un problema en inglés y soluciones escritas por otras personas.",
        "Da la letra de una solución cuya respuesta final sea correcta. Si hay varias, vale cualquiera de ellas.",
        "una palabra por cada {item}, en orden, separadas por espacios: {words}", "una de las letras {words}",
    ),
    "zh": JudgeWords(
        "题目", "解答", "解答对", "结束", "最终答案", ("正确", "错误", "无效"),
        "下面有 {count} 道英文题目，每道题都附有一份他人写的解答。",
        "请只根据最终答案判断每份解答：正确、错误或无效。如果没有最终答案、最终答案无法辨认，或者有两个互相矛盾的最终答案，则为无效。",
        "下面有 {count} 道英文题目，每道题都附有两份他人写的解答。",
        "每一对解答中，有一份的最终答案是正确的。是哪一份？",
        "下面是一道英文题目，以及他人写的几份解答。",
        "请给出一份最终答案正确的解答的字母。如果有多份正确，任选其一即可。",
        "每个{item}一个词，按顺序，用空格隔开：{words}", "下列字母之一：{words}", "：",
    ),
    "ja": JudgeWords(
        "問題", "解答", "組", "終わり", "最終的な答え", ("正解", "不正解", "無効"),
        "英語の問題が {count} 問あり、それぞれに他の人が書いた解答が付いています。",
        "各解答を最終的な答えだけで判定してください。正解、不正解、無効のいずれかです。最終的な答えがない場合、読み取れない場合、互いに矛盾する答えが二つある場合は無効です。",
        "英語の問題が {count} 問あり、それぞれに他の人が書いた解答が二つ付いています。",
        "どの組でも、一方の解答の最終的な答えが正解です。それはどちらですか。",
        "英語の問題が一問あり、他の人が書いた解答がいくつか付いています。",
        "最終的な答えが正解である解答の記号を答えてください。複数ある場合は、どれか一つで構いません。",
        "{item}ごとに一語を、順番に、空白で区切って：{words}", "次の文字のいずれか：{words}", "：",
    ),
    "hi": JudgeWords(
        "प्रश्न", "हल", "जोड़ी", "अंत", "अंतिम उत्तर", ("सही", "गलत", "अमान्य"),
        "यहाँ अंग्रेज़ी में {count} प्रश्न हैं, और हर प्रश्न के साथ किसी और का लिखा एक हल है।",
        "हर हल को केवल उसके अंतिम उत्तर से परखें: वह सही, गलत या अमान्य है। यदि अंतिम उत्तर नहीं है, पढ़ा नहीं जा सकता, या दो उत्तर एक-दूसरे का विरोध करते हैं, तो वह अमान्य है।",
        "यहाँ अंग्रेज़ी में {count} प्रश्न हैं, और हर प्रश्न के साथ दूसरों के लिखे दो हल हैं।",
        "हर जोड़ी में एक हल का अंतिम उत्तर सही है। वह कौन सा है?",
        "यहाँ अंग्रेज़ी में एक प्रश्न है, और दूसरों के लिखे उसके हल हैं।",
        "उस हल का अक्षर दें जिसका अंतिम उत्तर सही है। यदि कई सही हैं, तो उनमें से कोई भी चलेगा।",
        "हर {item} के लिए एक शब्द, क्रम से, रिक्त स्थान से अलग: {words}", "इनमें से एक अक्षर: {words}",
    ),
    "ar": JudgeWords(
        "المسألة", "الحل", "الزوج", "النهاية", "الإجابة النهائية", ("صحيح", "خاطئ", "باطل"),
        "إليك {count} مسائل بالإنجليزية، مع كل مسألة حل كتبه شخص آخر.",
        "احكم على كل حل من إجابته النهائية وحدها: إما صحيح أو خاطئ أو باطل. يكون الحل باطلا إذا لم تكن له إجابة نهائية، أو تعذرت قراءتها، "
        "أو كانت فيه إجابتان متناقضتان.",
        "إليك {count} مسائل بالإنجليزية، مع كل مسألة حلان كتبهما آخرون.",
        "في كل زوج تكون الإجابة النهائية لأحد الحلين صحيحة. أيهما؟",
        "إليك مسألة بالإنجليزية وحلول لها كتبها آخرون.",
        "اكتب حرف حل إجابته النهائية صحيحة. إذا كان هناك أكثر من حل صحيح فيكفي أي منها.",
        "كلمة واحدة لكل {item}، بالترتيب، تفصل بينها مسافات: {words}", "أحد الحروف {words}",
    ),
}  # fmt: skip
"""The words by the code of the language."""
