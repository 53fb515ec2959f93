"""Words of other languages for texts that are to be in them: none is a word of the English bank, none has a letter beyond a to z."""

NAMES = ("German", "Spanish", "Italian")
"""The language of number 1, 2 and 3 in a constraint."""

_GERMAN = """
aber allein arbeitet auch auf aus baut bei blau breit bringt dann das dass dein denn der dieser dort dunkel ein eine findet ganz geht gelb gern
gestern gibt gut haben heute hier hinter ich ihr immer ist jeder jetzt jung kalt kaum kauft klein klug kommt kurz lacht lang langsam laut leise
lernt liegt mein mit nach neu nicht nie nimmt noch nur oben ob oder oft ohne rechts reich schnell schon schwarz sehr sein selten sieht sind singt
sondern spielt stark steht sucht und unser unten von vor weil wenn wieder wir wohnt zusammen zwischen
"""
_SPANISH = """
abre agua ahora amiga amigo aunque ayer azul bajo bebe blanco bueno busca cada calle campo canta carne casa cerca cielo cierra ciudad comida
compra con corre corto cuando del desde donde encuentra entre esa escribe escuela ese esta este feliz fruta fuego fuerte gato grande habla hasta
hermana hermano hija hijo hora hoy juega largo las leche lejos lento libro llega lluvia luego madre maestro mercado mes mesa mientras mira monte
mucho muy negro nieve noche nuestro nueva nunca otra padre para pero perro poco por porque pueblo puerta queso rojo semana siempre silla tarde
tiene tienda tierra todo trabaja triste una vende ventana verde viejo viene viento vino vive
"""
_ITALIAN = """
acqua adesso altra amica amico anche ancora apre arriva azzurro basso beve bianco buono campagna canta carne casa cerca chiude cielo compra corre
corto della dopo felice figlia figlio finestra fino formaggio forse forte fratello frutta fuoco gatto gioca gli grande guarda ieri insieme lavora
lavoro legge lento libro lontano lungo madre maestro mai mangia mentre mercato mese molto monte negozio nero neve nostro notte nuovo oggi ogni
padre paese parla pioggia poco porta quando quello questa questo rosso scrive scuola sedia sempre senza sera settimana sopra sorella strada subito
tavolo terra tra triste trova tutto una uno vecchio vende vento verde vicino viene vino vive
"""
WORDS_OF = tuple(tuple(words.split()) for words in (_GERMAN, _SPANISH, _ITALIAN))
"""The words of each language, in the order of `NAMES`."""
