import { dirname, join } from "node:path";
import { parentPort } from "node:worker_threads";
import ts from "typescript";
import { root } from "./bundle.js";

/**
 * Posts the library's declarations as one text: the exports of src/index.ts and what they need. Schemas are bundled and
 * not part of the interface, so a schema in a type becomes `unknown`, and nobody needs zod to compile against the library.
 * A type that is computed from a table, e.g. from the fields of a relayer with their flags and help texts, is written out,
 * and members that are `@internal` are left out.
 */
function libraryTypes() {
  const moduleOf = declarationModules();
  const index = moduleOf(join(root, "dist/index.d.ts"));
  const kept = new Map();
  for (const name of index.exported) keep(index, name);
  const texts = [...kept].map(([name, { text }]) => (index.exported.has(name) ? text : text.replace(/^export /m, "")));
  // TypeScript indents by four spaces.
  return `${withoutCitations(texts.join("\n")).replace(/^( {4})+/gm, (space) => space.slice(space.length / 2))}\nexport {};\n`;

  function keep(module, name) {
    if (module.renamed.has(name)) throw new Error(`${name} has another name elsewhere, which one text cannot say`);
    const imported = importedFrom(module, name);
    if (imported) return keep(moduleOf(imported), name);
    const statements = module.declared.get(name);
    if (!statements) return;
    const before = kept.get(name);
    if (before && before.module !== module)
      throw new Error(`two types are called ${name}: give one of them another name`);
    if (before) return;
    const written = statements.map((statement) => module.writtenOut(statement) ?? { statement, imported: [] });
    kept.set(name, { module, text: written.map(({ statement }) => textOf(statement)).join("\n") });
    for (const type of written.flatMap(({ statement }) => typesIn(statement))) keep(module, type);
    for (const [path, type] of written.flatMap(({ imported }) => imported)) keep(moduleOf(path), type);
  }

  function importedFrom({ declared, imported, wholes }, name) {
    if (declared.has(name)) return undefined;
    return imported.get(name) ?? wholes.find((path) => moduleOf(path).exported.has(name));
  }
}

const CITATION = /(?:facts|interface|promises|decision)_\d+(?:\.\d+)?(?:(?:,_and_|,_|_and_)\d+(?:\.\d+)?)*/.source;

/** Removes from comments what cites a document that the package does not have. */
function withoutCitations(text) {
  const pattern = (source, flags = "g") => new RegExp(source.replaceAll("_", "\\s+(?:\\* )?"), flags);
  return text
    .replaceAll(pattern(`_\\(${CITATION}(?:[,;]_${CITATION})*\\)`), "")
    .replaceAll(pattern(`^ */\\*\\* ${CITATION}\\. \\*/\n`, "gm"), "")
    .replaceAll(pattern(`(?<=\\* )${CITATION}[.:] (\\S)`), (_, first) => first.toUpperCase());
}

/** Returns a function that reads an emitted module's declarations, imports, and exports, and only emits these modules. */
function declarationModules() {
  const { config } = ts.readConfigFile(join(root, "tsconfig.types.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(fileNames, options);
  reject(program.getConfigFileParsingDiagnostics(), program.getOptionsDiagnostics(), program.getGlobalDiagnostics());
  const checker = program.getTypeChecker();
  const modules = new Map();
  return (path) => {
    const source = program.getSourceFile(
      path.replace(join(root, "dist"), join(root, "src")).replace(/\.d\.ts$/, ".ts"),
    );
    const read = modules.get(path) ?? {
      ...readModule(path, emitted(source)),
      writtenOut: (statement) => writtenOut(statement, source),
    };
    modules.set(path, read);
    return read;
  };

  /** Returns an alias that is computed from a constant as what it comes to, and the types that it imports. */
  function writtenOut(statement, source) {
    if (!ts.isTypeAliasDeclaration(statement) || !hasTypeQuery(statement.type)) return undefined;
    const named = ({ name }) => name?.text === statement.name.text;
    const alias = source.statements.find((each) => ts.isTypeAliasDeclaration(each) && named(each));
    const imported = [];
    const spelled = (type) =>
      checker
        .typeToString(type, alias, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias)
        .replaceAll(/import\("(.*?)"\)\.(\w+)/g, (_, path, name) => {
          imported.push([`${path.replace(join(root, "src"), join(root, "dist"))}.d.ts`, name]);
          return name;
        });
    const type = checker.getTypeAtLocation(alias.name);
    const before = statement.getFullText().slice(0, statement.name.pos - statement.getFullStart());
    const isUnion = type.isUnion() || type.isLiteral();
    const members = isUnion ? [] : checker.getPropertiesOfType(type).map((member) => memberText(member, spelled));
    const text = isUnion
      ? `${before} ${statement.name.text} = ${spelled(type)};`
      : `${before.replace(/type$/, "interface")} ${statement.name.text} {\n${members.join("\n")}\n}`;
    const [written] = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true).statements;
    return { statement: written, imported };
  }

  function memberText(member, spelled) {
    const words = ts.displayPartsToString(member.getDocumentationComment(checker)).replaceAll("\n", "\n     * ");
    const about = words.includes("\n") ? `    /**\n     * ${words}\n     */\n` : words && `    /** ${words} */\n`;
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const type = spelled(checker.getTypeOfSymbol(member));
    return `${about}    ${member.name}${isOptional ? "?" : ""}: ${isOptional ? type.replace(/ \| undefined$/, "") : type};`;
  }

  function emitted(source) {
    reject(program.getSyntacticDiagnostics(source), program.getSemanticDiagnostics(source));
    const texts = [];
    const { diagnostics } = program.emit(source, (_, text) => texts.push(text));
    reject(diagnostics);
    return texts[0];
  }

  function reject(...problems) {
    const all = problems.flat();
    if (all.length > 0) throw new Error(ts.formatDiagnostics(all, ts.createCompilerHost(options)));
  }
}

function hasTypeQuery(node) {
  return ts.isTypeQueryNode(node) || ts.forEachChild(node, (child) => hasTypeQuery(child) || undefined) === true;
}

function readModule(path, text) {
  const module = { declared: new Map(), imported: new Map(), exported: new Set(), renamed: new Set(), wholes: [] };
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true).statements) {
    readStatement(statement, module, dirname(path));
    if (ts.isExportDeclaration(statement) && !statement.exportClause)
      module.wholes.push(declarationsAt(dirname(path), statement.moduleSpecifier.text));
  }
  return module;
}

function readStatement(statement, module, folder) {
  const from = statement.moduleSpecifier?.text;
  const clause = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
  for (const { name, propertyName } of clause?.elements ?? []) {
    if (propertyName) module.renamed.add(name.text);
    if (from?.startsWith(".")) module.imported.set(name.text, declarationsAt(folder, from));
    if (ts.isExportDeclaration(statement)) module.exported.add(name.text);
  }
  for (const name of namesOf(statement)) {
    module.declared.set(name, [...(module.declared.get(name) ?? []), statement]);
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) module.exported.add(name);
  }
}

function declarationsAt(folder, from) {
  return join(folder, from.replace(/\.ts$/, ".d.ts"));
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.text);
  return ts.isImportDeclaration(statement) || !statement.name ? [] : [statement.name.text];
}

/** The names of the types that a declaration refers to. */
function typesIn(statement) {
  const names = [];
  const visit = (node) => {
    const named = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isTypeQueryNode(node)
        ? node.exprName
        : node.expression;
    if (named && ts.isIdentifier(named)) names.push(named.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return names;
}

function textOf(statement) {
  const text = statement.getFullText().trim();
  const start = statement.getFullStart() + statement.getFullText().indexOf(text);
  return schemasIn(statement).reduceRight(
    (changed, { pos, end }) => `${changed.slice(0, pos - start)} unknown${changed.slice(end - start)}`,
    text,
  );
}

/** The outermost types of zod, in the order of the text. */
function schemasIn(node) {
  if (ts.isTypeReferenceNode(node) && /^z\./.test(node.typeName.getText())) return [node];
  const found = [];
  ts.forEachChild(node, (child) => void found.push(...schemasIn(child)));
  return found;
}

parentPort?.postMessage(libraryTypes());
