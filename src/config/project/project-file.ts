import { findProjectPath } from "./find-project.ts";
import type { ProjectWorld } from "./open-project.ts";
import type { ProjectFile } from "./project.ts";

/** Creates `App.projectFile`, which loads its reader with the first file. */
export function createProjectFile(
  world: ProjectWorld & { folder(): string | undefined; home: string | undefined },
): ProjectFile {
  const found = () => {
    const folder = world.folder();
    return folder === undefined ? undefined : findProjectPath(folder, world.home);
  };
  return {
    async find() {
      const path = found();
      return path === undefined ? undefined : await (await import("./open-project.ts")).openProject(path, world);
    },
    async forget() {
      const path = found();
      if (path === undefined) return undefined;
      return { path, wasTrusted: await (await import("./open-project.ts")).forgetProject(path, world) };
    },
  };
}
