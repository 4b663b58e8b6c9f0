{{- define "hearth.name" -}}
{{- if contains "hearth" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-hearth{{ end }}
{{- end }}

{{- define "hearth.selector" -}}
app.kubernetes.io/name: hearth
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hearth.labels" -}}
{{ include "hearth.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "hearth.adminHosts" -}}
{{- $service := printf "%s-admin" (include "hearth.name" .) }}
{{- $names := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) }}
{{- join "," (concat $names .Values.admin.hosts) }}
{{- end }}
