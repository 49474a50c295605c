import ts from "typescript";
import { nameOf, TextReader } from "./read-text.ts";
import { isElsewhere, positionOf, printedAt } from "./sinks.ts";
import { type Callable, callableOf, type Sources } from "./sources.ts";

export function textsByHeading(sources: Sources): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  const add = (heading: string, text: string) => found.set(heading, (found.get(heading) ?? new Set()).add(text));
  const reader = new TextReader(sources);
  const queue = sources.nodes.flatMap(printedAt);
  const valuesOf = valuesByParameter(sources);
  const followed = new Set<string>();
  for (const { heading, node } of queue) {
    const { texts, parameters, computed } = reader.read(node);
    for (const text of texts) if (text.trim() !== "") add(heading, text);
    for (const each of computed) add(COMPUTED, `${placeOf(each)}: ${nameOf(each)}`);
    for (const parameter of parameters) {
      const key = `${heading} ${placeOf(parameter)} ${parameter.pos}`;
      if (!followed.has(key)) queue.push(...valuesOf(parameter).map((value) => ({ heading, node: value })));
      followed.add(key);
    }
  }
  for (const [heading, text] of otherTexts(sources, reader)) add(heading, text);
  const headings = [...found.keys()].sort();
  return new Map(headings.map((heading) => [heading, [...(found.get(heading) ?? [])].sort()]));
}

export const COMPUTED = "Computed: texts that the sources do not show here";

/** Every text of two words or more that no error, rule, or note led to: parts of them, prompts, and labels. */
function* otherTexts(sources: Sources, reader: TextReader): Generator<[heading: string, text: string]> {
  for (const node of sources.nodes) {
    const path = node.getSourceFile().fileName;
    if (reader.seen.has(node) || /^src\/(?:embedded-server|cli\/help|completion)\//.test(path)) continue;
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) continue;
    if (isElsewhere(node)) continue;
    for (const text of new TextReader(sources).read(node).texts) {
      if (/[a-z}] [a-z{]/i.test(text) && text.length < LONGEST) yield [`Other texts of ${folderOf(path)}`, text];
    }
  }
}

/** A longer text is a list of names that are compared, not printed. */
const LONGEST = 400;

function placeOf(node: ts.Node): string {
  return node.getSourceFile().fileName;
}

function folderOf(path: string): string {
  const folders = path.split("/").slice(1, -1);
  return `src/${folders.slice(0, folders[0] === "commands" ? 2 : 1).join("/")}`;
}

/** Returns a function that returns what the calls pass for a parameter, or its name if no call uses the name. */
function valuesByParameter(sources: Sources): (parameter: ts.ParameterDeclaration) => readonly ts.Node[] {
  const calls = new Map<Callable, (readonly ts.Expression[])[]>();
  for (const node of sources.nodes) {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) continue;
    const callee = callableOf(sources.calleeOf(node));
    if (!callee) continue;
    const passed = calls.get(callee) ?? [];
    calls.set(callee, passed);
    passed.push(node.arguments ?? []);
  }
  return (parameter) => {
    const { of, position } = positionOf(parameter);
    const all = calls.get(of);
    return all ? all.flatMap((args) => args[position] ?? parameter.initializer ?? []) : [parameter];
  };
}
