import type { EditorFile } from "../../src/app.ts";

export type ScriptedEdit = ((text: string) => string | Promise<string>) | Error;

export interface ScriptedEditor {
  shown: string[];
  /** Whether the file is there still. */
  isKept: boolean;
  open(name: string): Promise<EditorFile>;
}

export function scriptedEditor(edits: readonly ScriptedEdit[]): ScriptedEditor {
  const editor: ScriptedEditor = {
    shown: [],
    isKept: false,
    async open(name) {
      editor.isKept = true;
      return {
        path: `/tmp/relayctl-editor/${name}.jsonc`,
        async edit(text) {
          const next = edits[editor.shown.length];
          editor.shown.push(text);
          if (next instanceof Error) throw next;
          if (!next) throw new Error(`nobody told the test what to do in the editor, which shows:\n${text}`);
          return await next(text);
        },
        async remove() {
          editor.isKept = false;
        },
      };
    },
  };
  return editor;
}
