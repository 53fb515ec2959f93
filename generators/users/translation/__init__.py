"""People who speak another language than English: their words from English ones by templates, and what is said to them put in English by a glossary."""
