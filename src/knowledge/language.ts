/** The languages whose words are told apart and brought to their stems; in others, words count as they are written. */
export const languages = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof languages)[number]

const lists: Record<Language, string> = {
  en: `a about again all also am an and any anything are as at be been being but by can could did do does doing don for from
    had has have having he her here hers him his how however i if in into is it its itself just me mine more most my no nor
    not of on or our ours out over please she should so some than that the their theirs them then there these they this
    those to too under up us was we were what when where whether which while who whom whose why will with would you your
    yours tell know get got there's i'm it's`,
  de: `aber alle allem allen aller alles als also am an andere auch auf aus bei bin bis bist bitte da damit dann das dass
    dein deine dem den denn der des dessen dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem
    einen einer eines er es etwas euch euer eure fur für gibt habe haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre
    ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kannst kein keine können man mein meine mich mir mit
    muss müssen nach nicht noch nur oder ob sein seine sich sie sind so soll sollen sollte um und uns unser unsere vom von
    vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wie wieso wieviel
    wird wo wohin worin wurde würde zu zum zur über`,
  es: `a al algo alguna alguno algunos ante antes como cómo con cual cuál cuáles cuando cuándo cuánta cuánto cuántos cuesta
    de del desde donde dónde dos el él ella ellas ellos en entre era eres es esa esas ese eso esos esta está están estas
    este esto estos fue ha hace han hasta hay la las le les lo los mas más me mi mis mucho muy nada ni no nos nosotros o os
    otra otro para pero poco por porque puede pueden puedo que qué quien quién se ser si sí sin sobre son soy su sus también
    tan te tengo tiene tienen todo todos tu tú tus un una unas uno unos usted ustedes y ya yo`,
  fr: `à a ai au aux avec avez avoir avons c ce cela ces cet cette ceux chez comme comment d dans de des donc du elle elles
    en est et être eu fait faire il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont
    ou où par pas peut peux plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si
    son sont sous sur t ta te tes toi ton tous tout toute toutes tu un une vers vos votre vous y combien`,
}

/** Words that carry grammar and questions, not content. */
export const stopWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(lists.en.split(/\s+/)),
  de: new Set(lists.de.split(/\s+/)),
  es: new Set(lists.es.split(/\s+/)),
  fr: new Set(lists.fr.split(/\s+/)),
}

/** Enough to tell, and a bound for long texts. */
const wordsRead = 400

/** The language that most of a text's small words belong to, or undefined where they tell nothing. */
export function languageOf(words: readonly string[]): Language | undefined {
  const counts = languages.map((language) => {
    let count = 0
    for (const word of words.slice(0, wordsRead)) if (stopWords[language].has(word)) count++
    return count
  })
  const most = Math.max(...counts)
  const best = languages.filter((_, index) => counts[index] === most)
  return most > 0 && best.length === 1 ? best[0] : undefined
}
