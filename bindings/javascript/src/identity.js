// The identity of an open file, from its system attributes.

export function identityOf({ size, dev, ino, mtimeNs, ctimeNs }) {
  return { size, device: dev, inode: ino, modifiedNs: mtimeNs, changedNs: ctimeNs };
}
