# docker compose up    (docs/operation.md)

FROM python:3.13-slim-trixie AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY scorekeeper/ scorekeeper/
COPY templates/ templates/
COPY static/ static/
RUN python -m venv /opt/scorekeeper
RUN /opt/scorekeeper/bin/pip install --no-cache-dir '.[postgres,metrics]'

FROM python:3.13-slim-trixie
# pg_dump makes the backups where the database is PostgreSQL; it has to be as new as the server.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data scorekeeper && install -d -m 700 -o scorekeeper -g scorekeeper /data
COPY --from=build /opt/scorekeeper /opt/scorekeeper
ENV PATH=/opt/scorekeeper/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
ENV SCOREKEEPER_INSTANCE=/data SCOREKEEPER_LOG_FORMAT=json
USER scorekeeper
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["scorekeeper", "run", "--host", "0.0.0.0", "--port", "8000"]
