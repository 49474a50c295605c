import ts from "typescript";
import { stateIn } from "./module-state.ts";

function stateInTexts(texts: Readonly<Record<string, string>>): string[] {
  const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return stateIn(Object.entries(texts).map(([path, text]) => ({ path, file: parse(path, text) })));
}

test.each([
  ["a variable", "let count = 0;", "count is declared with let or var"],
  ["an empty map", "const known = new Map<string, number>();", "known is an empty container"],
  ["an empty list", "export const known: string[] = [];", "known is an empty container"],
  ["an empty object", "const known: Record<string, string> = {};", "known is an empty container"],
  ["a map in an object", "const cache = { known: new Map() };", "cache is an empty container"],
  ["a buffer", "const bytes = new Uint8Array(16);", "bytes is an empty container"],
  [
    "a list in an object with a mutable type",
    "interface Cache { known: string[] } const cache: Cache = { known: [] };",
    "cache is an empty container",
  ],
  ["a list that a function sorts", "const LIST = [2, 1]; export const f = () => LIST.sort();", "LIST is changed"],
  ["a field that a function sets", "const A = { b: { c: 1 } }; export function f() { A.b.c++; }", "A is changed"],
  ["a function that sets its own field", "export function f() { f.count = 1; }", "f is changed"],
  ["a key that a function deletes", "const A = { b: 1 }; export function f() { delete A.b; }", "A is changed"],
  [
    "an object that a function extends",
    "const A = { b: 1 }; export const f = () => Object.assign(A, {});",
    "A is changed",
  ],
  [
    "a regular expression with a position",
    "const WORD = /a/g; export const f = () => WORD.test('a');",
    "WORD is changed",
  ],
  ["a static variable", "export class A { static count = 0; }", "count is a static variable"],
  [
    "a function with state",
    "function counter() { let n = 0; return () => ++n; } export const next = counter();",
    "next remembers",
  ],
  [
    "a function with state from another function",
    "function counter() { let n = 0; return () => ++n; } const named = () => { const c = counter(); return c; }; const next = named();",
    "next remembers",
  ],
  [
    "an immediately called function with state",
    "const next = (() => { let n = 0; return () => ++n; })();",
    "next remembers",
  ],
  ["an instance with state", "class A { n = 0; add() { this.n++; } } const a = new A();", "a remembers"],
])("finds %s", (_, text, found) => expect(stateInTexts({ "a.ts": text })).toContain(`src/a.ts: ${found}`));

test("finds state that another file changes or keeps", () => {
  const files = {
    "a.ts": "export const LIST = [1]; export function counter() { let n = 0; return () => ++n; }",
    "b/b.ts":
      'import { counter, LIST as all } from "../a.ts"; export const f = () => all.push(1); export const g = counter();',
  };
  expect(stateInTexts(files)).toEqual(["src/a.ts: LIST is changed", "src/b/b.ts: g remembers"]);
});

test.each([
  ["constants", "const A = new Map([[1, 2]]); const B = { c: [] }; const C = [1]; export { A, B, C };"],
  ["a table that is filled while the file loads", "const T = new Uint8Array(256); for (const b of [1, 2]) T[b] = 1;"],
  ["local variables", "export function f() { const list: number[] = []; let n = 0; list.push(n++); return list; }"],
  ["a parameter with the name of a constant", "const A = [1]; export function f(A: number[]) { A.push(1); return A; }"],
  [
    "a function that is called inside another function",
    "function counter() { let n = 0; return () => ++n; } export const f = () => counter();",
  ],
  ["a regular expression with a position in a function", "export function f() { const w = /a/g; return w.test('a'); }"],
])("allows %s", (_, text) => expect(stateInTexts({ "a.ts": text })).toEqual([]));
