

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Process',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('worker', 'Worker'), ('starting', 'Worker getting ready'), ('reaper', 'Reaper')], max_length=10)),
                ('slots', models.PositiveSmallIntegerField(default=1, help_text='runs that it works on at once')),
                ('started_at', models.DateTimeField()),
                ('last_seen', models.DateTimeField(db_index=True)),
            ],
            options={
                'verbose_name_plural': 'processes',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('scenario_digest', models.CharField(max_length=64)),
                ('seed', models.PositiveBigIntegerField()),
                ('engine_version', models.CharField(max_length=20)),
                ('document', models.JSONField()),
                ('metrics', models.JSONField(default=dict, help_text='those of the document, for comparisons that read no more')),
                ('sha256', models.CharField(help_text="of the document's canonical JSON", max_length=64)),
                ('compute_s', models.FloatField(help_text='wall time; says nothing about the result')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('scenario_digest', 'seed', 'engine_version'), name='computed_once')],
            },
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('question', models.CharField(max_length=200)),
                ('base', models.JSONField(help_text='planner.studies.spec: references to revisions, and settings')),
                ('axes', models.JSONField(help_text='planner.studies.spec: policies, cluster changes, price sheets, demand, seeds')),
                ('slos', models.JSONField(default=list, help_text='limits, stored before the first run')),
                ('is_example', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='studies', to='accounts.workspace')),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Scenario',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveIntegerField()),
                ('label', models.CharField(max_length=120)),
                ('spec', models.JSONField(help_text='like Study.base, with its changes applied')),
                ('changes', models.JSONField(default=list, help_text='[{path, old, new, unit}] against the base')),
                ('digest', models.CharField(help_text='simulation.scenario.scenario_digest', max_length=64)),
                ('family', models.CharField(help_text='digest of what must agree before two runs share a front', max_length=64)),
                ('regime', models.CharField(blank=True, help_text='what its policy may know of jobs', max_length=20)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scenarios', to='studies.study')),
            ],
            options={
                'ordering': ['study', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('seed', models.PositiveBigIntegerField()),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], db_index=True, default='queued', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('token', models.UUIDField(null=True)),
                ('worker', models.CharField(blank=True, max_length=100)),
                ('lease_until', models.DateTimeField(db_index=True, null=True)),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('enqueued_at', models.DateTimeField(db_index=True, null=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('progress', models.FloatField(default=0.0)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('result', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='studies.result')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='studies.scenario')),
            ],
            options={
                'ordering': ['created_at', 'id'],
                'indexes': [models.Index(fields=['state', 'enqueued_at'], name='queue_order')],
                'constraints': [models.UniqueConstraint(fields=('scenario', 'seed'), name='one_run_a_seed')],
            },
        ),
        migrations.AddConstraint(
            model_name='scenario',
            constraint=models.UniqueConstraint(fields=('study', 'position'), name='scenario_position_once'),
        ),
    ]
