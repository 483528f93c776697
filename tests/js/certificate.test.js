// Tests of the page's certificate checker: compressed files, progress, and messages that say what is wrong and where.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { checkFile } from "../../src/gridlock/web/static/certificate.js";

const proof = "gridlock certificate 1\nboard 4 4 orthogonal\nmarker near\nposition 0 0 - -\nslots 0\nloses p000102030405060708090a0b0c0d0e0f\n";
const accepted = "Every step is valid: the player to move loses on 4x4 (orthogonal). 0 records checked.";

test("a certificate is accepted, and a line that is cut off is named by its number", async () => {
  assert.equal(await checkFile(new Blob([proof])), accepted);
  assert.equal(await checkFile(new Blob([proof.slice(0, -1)])), "Not valid. Line 6: the line is cut off or too long.");
  assert.match(await checkFile(new Blob([proof.replace("slots 0", "slots x")])), /^Not valid\. Line 5: /);
});

test("a compressed certificate is accepted, and a damaged one is rejected", async () => {
  const packed = gzipSync(proof);
  assert.equal(await checkFile(new Blob([packed])), accepted);
  const damaged = "Not valid. The file is damaged: it is not a complete gzip file.";
  assert.equal(await checkFile(new Blob([packed.subarray(0, -9)])), damaged);
  assert.equal(await checkFile(new Blob([packed.subarray(0, 2), "hello"])), damaged);
});

test("files that are not certificates of this version get one sentence", async () => {
  assert.equal(await checkFile(new Blob([])), "Not valid. Line 1: the certificate ends before its result.");
  assert.equal(await checkFile(new Blob(["x".repeat(3e6)])), "Not valid. Line 1: the line is cut off or too long.");
  const other = "Not valid. Line 1: this is version '2' of the format, but this page reads version 1.";
  assert.equal(await checkFile(new Blob([proof.replace("certificate 1", "certificate 2")])), other);
});

test("progress is reported while a long file is read", async () => {
  /** @type {number[]} */
  const shares = [];
  await checkFile(new Blob([...Array(9).fill("# a comment\n".repeat(9_000)), proof]), (_records, share) => shares.push(share));
  assert.ok(shares.length > 3 && shares[0] < 0.5 && shares.every((share, i) => !i || share >= shares[i - 1]));
});
