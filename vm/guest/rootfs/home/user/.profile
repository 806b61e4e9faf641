[ -r ~/.bashrc ] && . ~/.bashrc
