import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

export type Import = { to: string; typeOnly: boolean; names: string[]; relative: boolean }
export type Source = { path: string; lines: number; imports: Import[]; root: ts.SourceFile }

const root = join(import.meta.dirname, '../..')

export const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}

const importOf = (path: string, node: ts.Node): Import | undefined => {
  const make = (to: string, typeOnly: boolean, names: string[] = []): Import => {
    const relative = to.startsWith('.')
    return { to: relative ? normalize(join(dirname(path), to)) : to, typeOnly, names, relative }
  }
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const bindings = node.importClause?.namedBindings
    const elements = bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : []
    const allTypes = elements.length > 0 && !node.importClause?.name && elements.every((element) => element.isTypeOnly)
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || allTypes
    const names = elements
      .filter((element) => !element.isTypeOnly)
      .map((element) => (element.propertyName ?? element.name).text)
    return make(node.moduleSpecifier.text, typeOnly, names)
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
    return make(node.moduleSpecifier.text, node.isTypeOnly)
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return make(node.argument.literal.text, true)
  }
  const [first] =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : []
  return first !== undefined && ts.isStringLiteral(first) ? make(first.text, false) : undefined
}

/** A file as the rules see it; `path` counts from the top of the repository. */
export const parse = (path: string, text: string): Source => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  walk(file, (node) => {
    const found = importOf(path, node)
    if (found !== undefined) imports.push(found)
  })
  return { path, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0), imports, root: file }
}

/** The repository's own TypeScript, without what scripts generate. */
export const sources = (): Source[] =>
  ['src', 'db', 'test', 'scripts'].flatMap((folder) =>
    [...new Bun.Glob('**/*.ts').scanSync({ cwd: join(root, folder) })]
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => !path.endsWith('.gen.ts'))
      .sort()
      .map((path) => parse(path, readFileSync(join(root, path), 'utf8'))),
  )

/** The files as fewer larger ones, such as a folder each: what a part imports of its own is left out. */
export function merge(files: readonly Source[], into: (path: string) => string): Source[] {
  const parts = Map.groupBy(files, ({ path }) => into(path))
  return [...parts].flatMap(([path, [first, ...others]]) => {
    if (!first) return []
    const imports = [first, ...others]
      .flatMap((file) => file.imports.map((i) => (i.relative ? { ...i, to: into(i.to) } : i)))
      .filter(({ to }) => to !== path)
    return [{ ...first, path, imports }]
  })
}

/** The first way round through the imports, types too, or nothing. */
export const cycle = (files: readonly Source[]): string[] | undefined => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const follow = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const each of byPath.get(path)?.imports ?? []) {
      const found = each.relative ? follow(each.to, [...trail, path]) : undefined
      if (found !== undefined) return found
    }
    done.add(path)
    return undefined
  }
  for (const { path } of files) {
    const found = follow(path, [])
    if (found !== undefined) return found
  }
  return undefined
}
