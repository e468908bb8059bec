type Text = { readonly en: string; readonly fr: string }
/** A member that a rule refuses, and why. */
type Fault = { readonly path: string; readonly message: Text }
/** The valid members of a body. */
export type Members = Readonly<Record<string, unknown>>
/**
 * A rule that depends only on the members of a body and on the day. A use case applies it to the whole body; where the
 * body breaks its schema, the edge applies it to the valid members, so that a form shows all errors at once.
 */
export type BodyRule = (body: Members, today: string) => readonly Fault[]

/** Members that a rule refuses, with one reason. */
export const wrongAt = (message: Text, ...paths: readonly string[]): readonly Fault[] =>
  paths.map((path) => ({ path, message }))

export const isText = (value: unknown): value is string => typeof value === 'string'

export const FUTURE: Text = { en: 'Cannot be in the future.', fr: 'Ne peut pas être dans le futur.' }
/** The days in these members must not be in the future. */
export const notAhead =
  (...members: readonly string[]): BodyRule =>
  (body, today) =>
    members.flatMap((member) => {
      const day = body[member]
      return isText(day) && day > today ? wrongAt(FUTURE, `/${member}`) : []
    })

/** Several rules as one. */
export const all =
  (...rules: readonly BodyRule[]): BodyRule =>
  (body, today) =>
    rules.flatMap((rule) => rule(body, today))
