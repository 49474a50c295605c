import type { DiffFlag } from "../../../command-support/shown.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { UndoFile, UndoFileFlag } from "../many/undo-file.ts";

/** Changes one relayer, with `--undo-file` if given; the code for that file is loaded only then. */
export async function changeOne(
  call: Call<UndoFileFlag & DiffFlag>,
  change: (undoFile: UndoFile | undefined) => Promise<View>,
): Promise<View> {
  if (call.flags.undoFile === undefined) return await change(undefined);
  const { withUndoFile } = await import("../many/undo-file.ts");
  return await withUndoFile(call, change);
}
