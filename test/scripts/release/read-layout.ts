import { createHash } from "node:crypto";
import { type Archived, readTar } from "./read-archive.ts";

const IMAGE = "application/vnd.oci.image";

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { os: string; architecture: string };
  annotations?: Record<string, string>;
}

export interface Manifest {
  config: Descriptor;
  layers: Descriptor[];
}

/** An OCI image layout in a tar archive, as a program that runs its images reads it. */
export interface Layout {
  files: ReadonlyMap<string, Archived>;
  index: { manifests: Descriptor[] };
  /** The image of each platform. */
  images: readonly Descriptor[];
  blob(descriptor: Descriptor, type: string): Buffer;
  json<T>(descriptor: Descriptor, type: string): T;
  /** Returns the manifest of the image for a processor. */
  manifestFor(architecture: string): Manifest;
  /** Returns what a container of that processor finds, by path. */
  filesFor(architecture: string): Map<string, Archived>;
}

/** Reads a layout with one index of images in it. */
export function readLayout(bytes: Buffer): Layout {
  const files = readTar(bytes);
  const index = JSON.parse(contentOf(files, "index.json").toString());
  const blob = (descriptor: Descriptor, type: string) => blobOf(files, descriptor, type);
  const json = <T>(descriptor: Descriptor, type: string): T => JSON.parse(blob(descriptor, type).toString());
  const images = json<Layout["index"]>(index.manifests[0], "index.v1+json").manifests;
  const manifestFor = (architecture: string): Manifest => {
    const found = images.find(({ platform }) => platform?.architecture === architecture);
    if (found === undefined) throw new Error(`there is no image for ${architecture}`);
    return json(found, "manifest.v1+json");
  };
  const filesFor = (architecture: string) =>
    new Map(manifestFor(architecture).layers.flatMap((layer) => [...readTar(blob(layer, "layer.v1.tar+gzip"))]));
  return { files, index, images, blob, json, manifestFor, filesFor };
}

function blobOf(files: Layout["files"], { mediaType, digest, size }: Descriptor, type: string): Buffer {
  const content = contentOf(files, `blobs/${digest.replace(":", "/")}`);
  if (mediaType !== `${IMAGE}.${type}`) throw new Error(`${digest} is a ${mediaType}, not a ${type}`);
  if (sha256(content) !== digest) throw new Error(`${digest} is the digest of another blob`);
  if (content.length !== size) throw new Error(`${digest} has ${content.length} bytes, not ${size}`);
  return content;
}

function contentOf(files: Layout["files"], path: string): Buffer {
  const found = files.get(path);
  if (found === undefined) throw new Error(`${path} is missing`);
  return found.content;
}

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
