/** A command line that cannot be meant: the help follows the message, exit 64. */
export class UsageError extends Error {}
