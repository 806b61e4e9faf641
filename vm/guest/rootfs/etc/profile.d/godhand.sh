export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LANG=C.UTF-8 DISPLAY=:0 XDG_RUNTIME_DIR=/run/user/1000
export NO_AT_BRIDGE=1 GSETTINGS_BACKEND=keyfile DBUS_SESSION_BUS_ADDRESS=disabled:
export EDITOR=nano MOZ_DISABLE_AUTO_SAFE_MODE=1 MOZ_CRASHREPORTER_DISABLE=1
