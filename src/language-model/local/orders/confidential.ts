const word =
  '(?:confidential|secret|internal(?: (?:notes?|info|information|only|use(?: only)?))?|private notes?|(?:please )?do not (?:share|disclose|reveal)|never (?:share|disclose|reveal)|not for (?:customers|callers|guests|clients|visitors|patients|the public)|(?:for )?staff(?: eyes)? only|for internal use(?: only)?|vertraulich|geheim|intern(?:e (?:notizen?|informationen?|hinweise?)|er hinweis)?|nicht (?:weitergeben|für kunden)|nur für (?:mitarbeiter|das team)|confidencial|(?:nota |uso )?intern[oa]|secreto|no compartir|solo para (?:el )?personal|confidentiel(?:le)?s?|(?:notes? |usage )?internes?|secret|ne pas (?:partager|divulguer)|réservé au personnel)'
const adverb = '(?:(?:strictly|highly|top|streng|estrictamente|strictement) )?'
const rest = '(?: (?:with|to|for|mit|an|con|à|avec|and|und|y|et|data|details)(?: [\\p{L}]+){1,4})?'

const label = new RegExp(`^[\\s>*•_[(-]{0,9}${adverb}${word}${rest}[\\])*_]{0,4}\\s?(?::|[–—-]\\s|[\\])]\\s)`, 'iu')
const inBrackets = new RegExp(`[([]${adverb}${word}${rest}[.!]?[)\\]]`, 'iu')
const title = new RegExp(`^[*_]{0,3}${adverb}${word}${rest}[*_]{0,3}:?$`, 'iu')

/** Whether a line is marked as not for callers: "Confidential: ...", "... (do not share)". */
export const isConfidential = (line: string): boolean => label.test(line) || inBrackets.test(line)

/** Whether all that stands under a heading is not for callers. */
export const isConfidentialTitle = (heading: string): boolean => title.test(heading.trim())
