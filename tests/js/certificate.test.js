// The page's checker of certificates: the line it names is the one that is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFile } from "../../src/gridlock/web/static/certificate.js";

const proof = "gridlock certificate 1\nboard 4 4 orthogonal\nmarker near\nposition 0 0 - -\nslots 0\nloses p000102030405060708090a0b0c0d0e0f\n";

test("a certificate is accepted, and a line that is cut off is named by its number", async () => {
  assert.equal(await checkFile(new Blob([proof])), "Every step follows: the player to move loses on 4x4 (orthogonal). 0 records checked.");
  assert.equal(await checkFile(new Blob([proof.slice(0, -1)])), "Not valid. Line 6: the line is cut off or too long.");
  assert.match(await checkFile(new Blob([proof.replace("slots 0", "slots x")])), /^Not valid\. Line 5: /);
});
