// What the rules of the architecture look for in a parsed file.
import ts from 'typescript'
import { type Source, walk } from './sources.ts'

/** Reports a node with its line when `test` says so. */
export const nodes =
  (test: (node: ts.Node) => boolean) =>
  ({ root }: Source): string[] => {
    const found: string[] = []
    walk(root, (node) => {
      if (test(node))
        found.push(
          `line ${root.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().slice(0, 60)}`,
        )
    })
    return found
  }

export const isMember = (node: ts.Node, object: string, name?: string): boolean =>
  ts.isPropertyAccessExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === object &&
  (name === undefined || node.name.text === name)

export const isAsync = (node: ts.Node): boolean =>
  (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) &&
  (node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword) ?? false)

export const callsWith = (node: ts.Node, names: string[], test: (argument: ts.Node) => boolean): boolean => {
  if (!ts.isCallExpression(node)) return false
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression
  return ts.isIdentifier(callee) && names.includes(callee.text) && node.arguments.some(test)
}
