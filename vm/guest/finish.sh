#!/bin/sh
# Turns a folder with freshly installed packages into the guest's disk. Runs as root, or as the root of a namespace.
#   finish.sh ROOT TREE STRIP EPOCH DISK BYTES
# TREE is copied over ROOT, STRIP lists what to remove, DISK is the raw file to make.
set -eu
ROOT=$1 TREE=$2 STRIP=$3 EPOCH=$4 DISK=$5 BYTES=$6
export SOURCE_DATE_EPOCH="$EPOCH" LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
inside() { chroot "$ROOT" "$@"; }

inside useradd --create-home --uid 1000 --shell /bin/bash --password '*' --comment User user
for group in sudo video input audio; do inside usermod --append --groups "$group" user; done
cp -R --no-dereference --remove-destination --preserve=mode "$TREE/." "$ROOT/"
for folder in Desktop Documents Downloads Pictures; do mkdir -p "$ROOT/home/user/$folder"; done
chown -R 1000:1000 "$ROOT/home/user"

(cd "$ROOT" && while read -r pattern; do
  # The list is written in bash's patterns: braces, stars, !(all but these).
  bash -O nullglob -O dotglob -O extglob -c "rm -rf -- $pattern"
done < "$STRIP")

# busybox is init, and whatever the boot needs that no package brought.
ln -sf /usr/bin/busybox "$ROOT/usr/sbin/init"
for applet in modprobe insmod lsmod rmmod depmod poweroff reboot halt; do
  [ -e "$ROOT/usr/sbin/$applet" ] || [ -e "$ROOT/usr/bin/$applet" ] || ln -s /usr/bin/busybox "$ROOT/usr/sbin/$applet"
done
for applet in ping vi unzip wget bc xxd killall time; do
  [ -e "$ROOT/usr/bin/$applet" ] || ln -s /usr/bin/busybox "$ROOT/usr/bin/$applet"
done
: > "$ROOT/etc/machine-id"
rm -f "$ROOT/var/lib/dbus/machine-id"

# Caches are made after every file has its final time, or programs would find them stale and make their own at start.
settle() { find "$ROOT" -xdev -newermt "@$EPOCH" -print0 | xargs -0 -r touch --no-dereference --date "@$EPOCH"; }
inside ldconfig -X 2>/dev/null || true
find "$ROOT/usr/lib" "$ROOT/usr/share" -name __pycache__ -type d -prune -exec rm -rf {} +
find "$ROOT" -xdev -print0 | xargs -0 touch --no-dereference --date "@$EPOCH"
inside python3 -m compileall -q --invalidation-mode unchecked-hash /usr/lib/python3.* >/dev/null || true
rm -rf "$ROOT/var/cache/fontconfig"
[ ! -x "$ROOT/usr/bin/fc-cache" ] || inside fc-cache -s -f
for theme in "$ROOT"/usr/share/icons/*/index.theme; do
  folder=${theme%/index.theme}
  [ ! -x "$ROOT/usr/bin/gtk-update-icon-cache" ] || inside gtk-update-icon-cache -q -f "${folder#"$ROOT"}" || true
done
rm -rf "$ROOT/var/cache/ldconfig" "$ROOT"/var/log/* "$ROOT"/tmp/* "$ROOT"/run/*
# The kernel fills /dev at boot; a namespace's root could not have made nodes there.
find "$ROOT/dev" -mindepth 1 -delete
settle

# The guest's own mke2fs, so that the disk does not depend on the host's.
rm -f "$DISK"
truncate -s "$BYTES" "$DISK"
libraries=$(echo "$ROOT"/usr/lib/*-linux-gnu)
MKE2FS_CONFIG="$ROOT/etc/mke2fs.conf" "$ROOT"/lib64/ld-linux-x86-64.so.2 --library-path "$libraries" "$ROOT/usr/sbin/mke2fs" \
  -q -t ext4 -m 0 -L godhand -N 262144 -J size=16 -O ^resize_inode,^orphan_file \
  -U 67644861-6e64-4d00-8000-000000000001 -E lazy_itable_init=0,lazy_journal_init=0,hash_seed=67644861-6e64-4d00-8000-000000000002,root_owner=0:0 \
  -d "$ROOT" "$DISK"
