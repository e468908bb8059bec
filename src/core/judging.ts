type Text = { readonly en: string; readonly fr: string }
/** A member that a rule refuses, and why. */
type Fault = { readonly path: string; readonly message: Text }
/** The members of a body as far as they are sound. */
export type Given = Readonly<Record<string, unknown>>
/**
 * A rule of a body that needs no more than its members and the day. It is held against a whole body where the use case
 * runs, and against the sound part of one that breaks its schema, so that a form is told everything at once.
 */
export type Judge = (given: Given, today: string) => readonly Fault[]

/** Members that a rule refuses, with one reason. */
export const wrongAt = (message: Text, ...paths: readonly string[]): readonly Fault[] =>
  paths.map((path) => ({ path, message }))

export const isText = (value: unknown): value is string => typeof value === 'string'

export const FUTURE: Text = { en: 'Cannot be in the future.', fr: 'Ne peut pas être dans le futur.' }
/** Days that have come already. */
export const notAhead =
  (...members: readonly string[]): Judge =>
  (given, today) =>
    members.flatMap((member) => {
      const day = given[member]
      return isText(day) && day > today ? wrongAt(FUTURE, `/${member}`) : []
    })

/** A rule of several. */
export const all =
  (...judges: readonly Judge[]): Judge =>
  (given, today) =>
    judges.flatMap((judge) => judge(given, today))
