"""Django settings: from the environment, with defaults that run at once (SQLite, embedded broker)."""

from __future__ import annotations

from pathlib import Path

from planner.config.env import ROOT, engine_environment, env, secret_key, state_dir

BASE_DIR = ROOT
STATE_DIR = state_dir()
engine_environment()
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]", "testserver"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=False)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "planner.accounts",
    "planner.catalog",
    "planner.studies",
    "planner.evidence",
    "planner.web",
    "api",
    "planner.config",
]

MIDDLEWARE = [
    "api.request_id.named_requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "planner.config.urls"
WSGI_APPLICATION = "planner.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "planner.web.context.shell",
            ],
        },
    }
]


def _database() -> dict[str, object]:
    """SQLite in WAL mode with IMMEDIATE transactions, or whatever DATABASE_URL names."""
    config: dict[str, object] = env.db_url("DATABASE_URL", default=f"sqlite:///{STATE_DIR / 'headroom.sqlite3'}")
    if str(config["ENGINE"]).endswith("sqlite3"):
        config["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    else:
        config["CONN_MAX_AGE"] = 60
        config["CONN_HEALTH_CHECKS"] = True
    return config


DATABASES = {"default": _database()}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AXES_FAILURE_LIMIT = 5
AXES_VERBOSE = False
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True  # mistyped now and then is no attack
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(STATE_DIR / "static")))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "planner.web.assets.PackageFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "planner.config.storage.StaticStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# What a browser may load: only our own files. Plotly needs inline styles and data/blob images.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

UPLOAD_LIMIT_BYTES = env.int("UPLOAD_LIMIT_BYTES", default=10 * 1024 * 1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3_000  # a cluster of 90 pools, with all that its form asks of each
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# The API. Everything that it says of itself is made out of its code.
API_RATE = env.str("API_RATE", default="1200/minute")  # requests of one token or person
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.auth.Bearer", "rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["api.auth.InScope"],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttles.PerCaller"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.PlainJson"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
    "EXCEPTION_HANDLER": "api.errors.handle",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Headroom",
    "VERSION": "1",
    "DESCRIPTION": "What the pages do, for programs. Times are seconds, instants ISO 8601 with zone; every number has "
    "its unit and its origin, and null is unknown, never 0. Errors are application/problem+json.",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "ItemKind": "planner.catalog.models.Kind",
        "ImportKind": "planner.catalog.models.Import.Of",
        "ImportState": "planner.catalog.models.Import.State",
        "RunState": "planner.studies.models.Run.State",
    },
}

# The queue: leases and sweeps, in seconds (reliability: state machine of runs).
RUN_LEASE_S = env.float("RUN_LEASE_S", default=20.0)
RUN_HEARTBEAT_S = env.float("RUN_HEARTBEAT_S", default=5.0)
RUN_REAP_EVERY_S = env.float("RUN_REAP_EVERY_S", default=5.0)
RUN_REQUEUE_AFTER_S = env.float("RUN_REQUEUE_AFTER_S", default=30.0)
RUN_STALL_S = env.float("RUN_STALL_S", default=30.0)  # a worker that hears no bell for so long ends
RUN_CANCEL_CHECK_S = env.float("RUN_CANCEL_CHECK_S", default=0.5)
RUN_MAX_ATTEMPTS = 5
RUN_TIME_LIMIT_S = env.float("RUN_TIME_LIMIT_S", default=4 * 3600.0)
RUN_MEMORY_LIMIT_BYTES = env.int("RUN_MEMORY_LIMIT_BYTES", default=8 * 1024**3)
RUN_RING_LIMIT = env.int("RUN_RING_LIMIT", default=200)  # messages that the reaper may have waiting in the broker

# The doorbell. Empty: no broker, and `manage.py run_worker` takes runs straight from the database.
RUN_QUEUE = "headroom-runs"
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6390/0")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
