import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unmasked } from "../../contract/secret-fields.ts";
import { createFile } from "../files/create-file.ts";
import { fileError } from "../files/file-error.ts";
import { readText } from "../files/read-text.ts";
import { type EditorEnvironment, editorCommand, runEditor } from "./run-editor.ts";

/** A text that the user edits in an editor, in a private file. */
export interface EditorFile {
  readonly path: string;
  /**
   * Writes the text, waits until the editor ends, and returns the new content; empty if the file is gone.
   * @throws RelayctlError usage if the editor does not exist, declined if it fails
   */
  edit(text: string): Promise<string>;
  /** Never fails: what cannot be removed stays in a private folder. */
  remove(): Promise<void>;
}

const MAX_BYTES = 8 * 2 ** 20;

/**
 * Creates a file for an editor, in a separate private folder.
 * @param name the subject, from which the file's name is derived
 * @throws RelayctlError usage if the environment specifies no usable editor
 */
export async function createEditorFile(
  name: string,
  environment: EditorEnvironment & { platform: string },
): Promise<EditorFile> {
  const editor = editorCommand(environment.env, environment.platform);
  const failing = (where: string, done: "read" | "written") => (error: unknown) => {
    throw fileError(where, done, error);
  };
  const folder = await mkdtemp(join(tmpdir(), "relayctl-")).catch(failing(tmpdir(), "written"));
  const path = join(folder, `${fileName(name)}.jsonc`);
  return {
    path,
    async edit(text) {
      await rm(path, { force: true }).catch(failing(path, "written"));
      await createFile(path, unmasked(text));
      await runEditor(editor, path, environment);
      return (await readText(path, MAX_BYTES)) ?? "";
    },
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}),
  };
}

const LONGEST_NAME = 60;

/** Returns a safe file name: an ID may contain special characters of a shell, a file system, or an editor. */
function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME);
}
