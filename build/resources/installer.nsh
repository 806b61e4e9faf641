; Leaves nothing behind that the person does not want: asked once, and never when a new version replaces an old one.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ${if} ${FileExists} "$LOCALAPPDATA\GodHand\*.*"
      MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Remove your tasks, traces, snapshots and keys as well?$\r$\n$\r$\n$LOCALAPPDATA\GodHand" /SD IDNO IDNO keepData
        RMDir /r "$LOCALAPPDATA\GodHand"
      keepData:
    ${endIf}
  ${endIf}
!macroend
