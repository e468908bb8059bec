// Whether messages leave this server by themselves, as the page that it served says.

/** False where people send each message by hand. */
export const sends = document.querySelector('meta[data-mute]') === null
/** A sentence in its true form: where messages go out, and where they are prepared only. */
export const either = <T>(sent: T, prepared: T): T => (sends ? sent : prepared)
