"""Formal languages and the machines that read them: regular expressions, automata, grammars, Turing machines, lambda terms."""
