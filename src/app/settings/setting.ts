import type { z } from 'zod'

/** A variable of the environment: its form, and what holds where it is not set. */
export class Setting<Variable extends string = string, Form extends z.ZodType = z.ZodType> {
  constructor(
    readonly variable: Variable,
    readonly form: Form,
  ) {}
}

/** Settings as the server calls them; those that belong together are a group of their own. */
export interface SettingTree {
  readonly [name: string]: Setting | SettingTree
}

/** The names of all variables of settings. */
export type VariableOf<Part> =
  Part extends Setting<infer Variable> ? Variable : { [Name in keyof Part]: VariableOf<Part[Name]> }[keyof Part]

/** The values of settings, as the server calls them. */
export type ValuesOf<Part> =
  Part extends Setting<string, infer Form> ? z.output<Form> : { [Name in keyof Part]: ValuesOf<Part[Name]> }

/** Every setting, those of groups too. */
export const settingsIn = (settings: SettingTree): Setting[] =>
  Object.values(settings).flatMap((part) => (part instanceof Setting ? [part] : settingsIn(part)))

/** What the values of variables say, as the server calls it. */
export function valuesOf<Part extends SettingTree>(settings: Part, values: Record<string, unknown>): ValuesOf<Part> {
  const entries = Object.entries(settings).map(([name, part]): [string, unknown] => [
    name,
    part instanceof Setting ? values[part.variable] : valuesOf(part, values),
  ])
  return Object.fromEntries(entries) as ValuesOf<Part>
}
