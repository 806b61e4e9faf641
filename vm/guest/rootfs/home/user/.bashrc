case $- in *i*) ;; *) return ;; esac
HISTSIZE=2000
HISTCONTROL=ignoreboth
shopt -s checkwinsize
PS1='\[\e[1;34m\]\w\[\e[0m\] \[\e[32m\]\$\[\e[0m\] '
alias ls='ls --color=auto' ll='ls -l' la='ls -A' grep='grep --color=auto'
