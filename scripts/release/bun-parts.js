/**
 * What Bun links, and under which license, as the license file of https://github.com/oven-sh/bun says at commit 09015d9125; the npm
 * packages of Bun contain no license text. `license` is an expression of SPDX, or a text if there is none.
 * @type {readonly { name: string, license: string, source: string, copyright?: string }[]}
 */
export const BUN_PARTS = Object.freeze(
  [
    ["JavaScriptCore and WebCore of WebKit", "LGPL-2.0-or-later", "https://github.com/oven-sh/WebKit"],
    ["BoringSSL", "several licenses", "https://boringssl.googlesource.com/boringssl/+/refs/heads/master/LICENSE"],
    ["Brotli", "MIT", "https://github.com/google/brotli", "Copyright (c) 2013-2015 by the Brotli Authors."],
    ["libarchive", "several licenses", "https://github.com/libarchive/libarchive/blob/master/COPYING"],
    [
      "lol-html",
      "BSD-3-Clause",
      "https://github.com/cloudflare/lol-html",
      "Copyright (C) 2019, Cloudflare, Inc.; Copyright (C) 2019, Ivan Nikulin",
    ],
    ["ls-hpack", "MIT", "https://github.com/litespeedtech/ls-hpack", "Copyright (c) 2018 LiteSpeed Technologies Inc"],
    [
      "ls-qpack",
      "MIT",
      "https://github.com/litespeedtech/ls-qpack",
      "Copyright (c) 2018 - 2021 LiteSpeed Technologies Inc",
    ],
    [
      "lsquic",
      "MIT AND BSD-3-Clause",
      "https://github.com/litespeedtech/lsquic",
      "Copyright (c) 2017 - 2018 LiteSpeed Technologies Inc",
    ],
    ["mimalloc", "MIT", "https://github.com/microsoft/mimalloc"],
    ["picohttpparser", "MIT OR Artistic-1.0-Perl", "https://github.com/h2o/picohttpparser"],
    [
      "zstd",
      "BSD-3-Clause OR GPL-2.0-only",
      "https://github.com/facebook/zstd",
      "Copyright (c) 2016-2022, Meta Platforms, Inc. and affiliates.",
    ],
    ["simdutf", "Apache-2.0", "https://github.com/simdutf/simdutf"],
    ["TinyCC", "LGPL-2.1-or-later", "https://github.com/tinycc/tinycc"],
    ["uSockets", "Apache-2.0", "https://github.com/uNetworking/uSockets"],
    ["uWebSockets", "Apache-2.0", "https://github.com/jarred-sumner/uwebsockets"],
    ["zlib-ng", "Zlib", "https://github.com/zlib-ng/zlib-ng", "(C) 1995-2025 Jean-loup Gailly and Mark Adler"],
    [
      "c-ares",
      "MIT",
      "https://github.com/c-ares/c-ares",
      "Copyright (c) 2007 - 2023, Daniel Stenberg with many contributors",
    ],
    ["ICU", "Unicode-3.0", "https://github.com/unicode-org/icu"],
    [
      "libbase64",
      "BSD-2-Clause",
      "https://github.com/aklomp/base64",
      "Copyright (c) 2005-2007, Nick Galbreath; 2015-2017, Wojciech Mula; 2016-2017, Matthieu Darbois; 2013-2022, Alfred Klomp",
    ],
    [
      "libuv (on Windows)",
      "MIT",
      "https://github.com/libuv/libuv",
      "Copyright (c) 2015-present libuv project contributors; Copyright Joyent, Inc. and other Node contributors.",
    ],
    ["libdeflate", "MIT", "https://github.com/ebiggers/libdeflate"],
    ["libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "https://github.com/libjpeg-turbo/libjpeg-turbo"],
    [
      "libspng",
      "BSD-2-Clause",
      "https://github.com/randy408/libspng",
      "Copyright (c) 2018-2021, Randy <randy408@protonmail.com>",
    ],
    ["libwebp", "BSD-3-Clause", "https://github.com/webmproject/libwebp"],
    ["Highway", "Apache-2.0", "https://github.com/google/highway"],
    ["uucode", "MIT", "https://github.com/jacobsandlund/uucode"],
    ["parts of TigerBeetle", "Apache-2.0", "https://github.com/tigerbeetle/tigerbeetle"],
    ["parts of libc++abi", "Apache-2.0 WITH LLVM-exception", "https://github.com/llvm/llvm-project"],
    ["parts of esbuild", "MIT", "https://github.com/evanw/esbuild"],
    ["acorn and the polyfills of Node.js modules", "MIT", "https://bun.com/docs/project/license"],
  ].map(([name, license, source, copyright]) => Object.freeze({ name, license, source, copyright })),
);
