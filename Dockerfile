FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    HEADROOM_STATE=/var/lib/headroom \
    NUMBA_CACHE_DIR=/tmp/kernels
WORKDIR /app

COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes --no-deps -r requirements.txt

COPY . .

RUN useradd --system --create-home --home-dir /var/lib/headroom headroom
USER headroom
VOLUME /var/lib/headroom
EXPOSE 8000
CMD ["gunicorn", "planner.config.wsgi", "--no-control-socket", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4"]
