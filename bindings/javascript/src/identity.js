// Which file it is that was opened, by what the system says of it.

export function identityOf({ size, dev, ino, mtimeNs, ctimeNs }) {
  return { size, device: dev, inode: ino, modifiedNs: mtimeNs, changedNs: ctimeNs };
}
