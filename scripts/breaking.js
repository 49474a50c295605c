import { join } from "node:path";
import { root } from "./bundle.js";

/** A plugin of rolldown and Vite that breaks one place of the sources. */
export function breaking({ file: path, old, new: instead }) {
  return {
    name: "break",
    enforce: "pre",
    transform(code, id) {
      if (id !== join(root, path)) return null;
      if (code.split(old).length !== 2) throw new Error(`${path} does not contain ${old} once`);
      return { code: code.replace(old, () => instead), map: null };
    },
  };
}
