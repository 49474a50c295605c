import { dirname, join, relative, sep } from "node:path";
import type { App } from "../app.ts";
import { messageWriter } from "../command-support/printing.ts";
import type { Project } from "../config/project/project.ts";
import { usageError } from "../errors.ts";
import type { ParsedCommand } from "./parse.ts";

export async function withProjectFiles(app: App, parsed: ParsedCommand): Promise<ParsedCommand> {
  const { chosen, common, missing, ...rest } = parsed;
  const { args, flags, file } = chosen;
  if (!app.project || "file" in flags || !file.projectFiles?.({ args, common })) return parsed;
  const project = await app.project();
  if (!project || project.files.length === 0) return parsed;
  const files = await filesIn(app, project);
  await messageWriter(app, common)({ note: `the files are ${files.join(", ")}, from ${project.path}` });
  if (missing) return { ...rest, common, chosen: { ...chosen, args: files } };
  return { ...rest, common, chosen: { ...chosen, flags: { ...flags, file: files } } };
}

/** Returns the paths of a project's files from here. @throws RelayctlError usage for a link that leaves its folder */
async function filesIn({ files: disk }: App, { path: project, files }: Project): Promise<string[]> {
  const folder = dirname(project);
  const realFolder = await disk.real(folder);
  const paths: string[] = [];
  for (const file of files) {
    const path = join(folder, file);
    const real = await disk.real(path);
    if (real !== undefined && !real.startsWith(join(realFolder ?? folder, sep)))
      throw usageError([{ where: project, given: file, rule: "is a link to a file that is not below its folder" }]);
    const fromHere = relative("", path);
    paths.push(fromHere.startsWith("..") || fromHere.startsWith("-") ? path : fromHere);
  }
  return paths;
}
