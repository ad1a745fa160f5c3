{{- define "api" }}
{{- if .Values.k8sServiceHost }}
- name: KUBERNETES_SERVICE_HOST
  value: {{ .Values.k8sServiceHost | quote }}
- name: KUBERNETES_SERVICE_PORT
  value: {{ .Values.k8sServicePort | quote }}
{{- end }}
{{- end }}
{{- define "security" }}
{{- if .privileged }}
privileged: true
{{- else }}
capabilities:
  add:
  {{- range .list }}
  - {{ . }}
  {{- end }}
  drop: [ALL]
{{- end }}
{{- end }}
