const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Full stops after these end no sentence. */
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|e\.g|i\.e|z\.\s?B|d\.\s?h|ca|bzw|inkl|zzgl|ggf|Dr|Mr|Mrs|Ms|Prof|St|Str|Nr|No|vs|etc|approx|p\.\s?ex|Sr|Sra|núm|art)\.\s*$/u

/** Nor after these where a figure follows: "Tel. 06421", "Mon. 9 to 12", "Aug. 3". */
const beforeFigures =
  /(?:^|[\s(])(?:Tel|Tél|Fax|Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So|lun|mar|mié|jue|vie|sáb|dom|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Okt|Nov|Dec|Dez|max|min|pp?)\.\s*$/iu

/** A German ordinal, and what follows one: "bis 31. März", "im 2. Stock". */
const ordinal = /(?:^|[\s(–-])\d{1,2}\.\s*$/
const countedByOrdinals =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Advent|Stock|Etage|OG|UG|Obergeschoss|Untergeschoss|Klasse|Semester|Halbjahr|Quartal|Schuljahr|Geburtstag|Lebens(?:jahr|monat|woche)s?|Tag|Woche|Monat|Jahr|Stunde|Mal|Rate|Person|Kind|Platz)(?!\p{L})/u

/** What is read of a sentence to see whether it has ended: all of it each time would take quadratic time. */
const endLength = 64

/** Whether a sentence that seems to have ended goes on with the next piece. */
function goesOn(end: string, next: string): boolean {
  if (/\n\s*$/.test(end)) return false
  return (
    /^\p{Ll}/u.test(next) ||
    abbreviation.test(end) ||
    (/^\d/.test(next) && beforeFigures.test(end)) ||
    (ordinal.test(end) && countedByOrdinals.test(next))
  )
}

/** The sentences of a text with the space after each. */
export function sentences(text: string): string[] {
  const found: string[][] = []
  let end = ''
  for (const { segment } of segmenter.segment(text)) {
    const last = goesOn(end, segment) ? found.at(-1) : undefined
    if (last) last.push(segment)
    else found.push([segment])
    end = `${last ? end : ''}${segment}`.slice(-endLength)
  }
  return found.map((parts) => parts.join(''))
}
