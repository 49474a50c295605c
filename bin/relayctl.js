#!/usr/bin/env node
const [major, minor, patch] = process.versions.node.split(".").map(Number);
if (major * 1e6 + minor * 1e3 + patch >= 20018001) require("../dist/main.js");
else (console.error(`relayctl needs Node 20.18.1 or later; this is ${process.versions.node}`), (process.exitCode = 1));
