{{- /* The text of rendered/<path> for the template templates/<path>. */ -}}
{{- define "replay" -}}
{{- .Template.Name | trimPrefix (printf "%s/templates" .Chart.Name) | printf "rendered%s" | .Files.Get -}}
{{- end -}}
