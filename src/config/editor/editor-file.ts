import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "../files/file-error.ts";
import { readText } from "../files/read-text.ts";
import { editorCommand } from "./editor-command.ts";
import { type EditorSurroundings, runEditor } from "./run-editor.ts";

/** A text that a person edits in a program of their own, in a file that nobody else can read. */
export interface EditorFile {
  /** For messages. */
  readonly path: string;
  /**
   * Writes the text, waits until the editor ends, and gives what is there then; nothing at all where the file is gone.
   * @throws RelayctlError usage when there is no such editor, declined when it ends with an error
   */
  edit(text: string): Promise<string>;
  remove(): Promise<void>;
}

const MAX_BYTES = 8 * 2 ** 20;

/**
 * A file for an editor, in a folder of its own that nobody else can enter.
 * @param name what it is about; the file's name is made of it
 * @throws RelayctlError usage, when no editor can be told from the environment
 */
export async function createEditorFile(
  name: string,
  surroundings: EditorSurroundings & { platform: string },
): Promise<EditorFile> {
  const editor = editorCommand(surroundings.env, surroundings.platform);
  const folder = await mkdtemp(join(tmpdir(), "relayctl-")).catch((error: unknown) => {
    throw fileError(tmpdir(), "written", error);
  });
  const path = join(folder, `${fileName(name)}.jsonc`);
  return {
    path,
    async edit(text) {
      await writeFile(path, text, { mode: 0o600 }).catch((error: unknown) => {
        throw fileError(path, "written", error);
      });
      await runEditor(editor, path, surroundings);
      return (await readText(path, MAX_BYTES)) ?? "";
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const LONGEST_NAME = 60;

/** An id may hold what means something to a shell, to a file system or to an editor. */
function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME);
}
