/** A piece of a file that is found and quoted as one. */
export interface PassageText {
  /** Where it stands: the headings above it, outermost first; null where the file has none. */
  heading: string | null
  text: string
}

/** Between the headings of a path. */
export const headingSeparator = ' > '

/** What a passage is found by: where it stands and what it says. */
export const searchText = ({ heading, text }: PassageText): string => (heading === null ? text : `${heading}\n${text}`)

/** How a passage's place is named in a quotation: its innermost heading. */
export const nearestHeading = (heading: string | null): string | null => heading?.split(headingSeparator).at(-1) ?? null
